-- Emergency top-ups as their caps count them. Those of a period are a number of its record; the others are in the field
-- `e` of the state: those that are counted by the day, and those of a session that was reset.
local emergencies = {}

-- No natural day starts longer ago than this.
local LONGEST_DAY_MS = 259200000
-- Every natural day starts at a quarter of an hour, so that top-ups in one of them are as good as one.
local QUARTER_MS = 900000

-- The emergency top-ups of a level that no period counts and that may still count: {name, count, at, ends} each, `at`
-- nil where it does not matter.
local function passing_of(it, now)
  local list = {}
  for name, count, at, ends in string.gmatch(it.passing, '([^; ]+) (%d+) (%S+) (%d+)') do
    local passing = {name = name, count = tonumber(count), at = tonumber(at), ends = tonumber(ends)}
    if passing.ends > now or (passing.at or 0) > now - LONGEST_DAY_MS then
      list[#list + 1] = passing
    end
  end
  return list
end

-- The emergency top-ups of a limit that no period counts and that its cap does: {count, ends} each. One that was
-- counted by the day counts to the end of that day, and of today where the subject's zone has changed and today has it.
local function counted_of(it, limit, now)
  local list = {}
  if it.passing ~= '' then
    for _, passing in ipairs(passing_of(it, now)) do
      local is_of_today = limit.today and passing.at and passing.at >= limit.today.starts
      local ends = math.max(passing.ends, is_of_today and limit.today.ends or 0)
      if passing.name == limit.name and ends > now then
        list[#list + 1] = {count = passing.count, ends = ends}
      end
    end
  end
  return list
end

-- How many emergency top-ups of a limit its cap counts; a rate has none.
function emergencies.count(it, limit, now)
  local count = it.records[limit.name].emergencies
  if not count then
    return 0
  end
  for _, counted in ipairs(counted_of(it, limit, now)) do
    count = count + counted.count
  end
  return count
end

-- Lets `count` more emergency top-ups of a limit count until `ends`, in memory; `at` = when they were made, or nil.
function emergencies.add(it, name, count, at, ends, now)
  local parts = {}
  at = at and at - math.fmod(at, QUARTER_MS)
  local function add(passing, units)
    parts[#parts + 1] = table.concat({passing.name, args.text_of(units), passing.at and args.text_of(passing.at) or '-',
      args.text_of(passing.ends)}, ' ')
  end
  for _, passing in ipairs(passing_of(it, now)) do
    if passing.name == name and passing.at == at and passing.ends == ends then
      count = count + passing.count
    else
      add(passing, passing.count)
    end
  end
  add({name = name, at = at, ends = ends}, count)
  it.passing = table.concat(parts, ';')
  it.remembered = it.remembered or {}
  it.remembered.e = it.passing
end

-- When the cap of a limit counts fewer than its plan allows; nil when it does now.
function emergencies.next_at(it, limit, now)
  local count = emergencies.count(it, limit, now)
  if count < limit.emergencies then
    return nil
  end
  local record = it.records[limit.name]
  local groups = counted_of(it, limit, now)
  groups[#groups + 1] = {count = record.emergencies, ends = record.ends}
  table.sort(groups, function(a, b)
    return a.ends < b.ends
  end)
  for _, group in ipairs(groups) do
    count = count - group.count
    if count < limit.emergencies then
      return group.ends
    end
  end
end
