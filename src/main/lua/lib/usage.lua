-- What was used lately, and of what: sums that decide nothing, of what was settled or charged.
--
-- Usage hash of a level, by meter: `m:<meter>` = 'began minute sum hour sum', the instant of the first use and the sums
-- of the minute and of the hour of the last one; `o:<meter>` = those of earlier minutes and hours, MessagePack of
-- {{index, sum, ...}, {index, sum, ...}}, the newest last. By period: `c:<limit>:<group>` = 'category units whole
-- millionths ...', units as they were used and what they weigh on the limit's meter.
local usage = {}

local MINUTE_MS = 60000
local HOUR_MS = 3600000
local MILLION = 1000000
-- How many whole minutes and hours lie in the windows that rates are told for, the one begun included.
local MINUTES = 60
local HOURS = 24

-- ARGV of a breakdown: meters (count), of each its name and categories (count), of each its name, units, and the
-- weighted amount as whole and millionths. Returns {meter = {{category, units, whole, millionths}, ...}}.
function usage.read(reader)
  local breakdown = {}
  for _ = 1, reader.integer('fed meters', 0, 64) do
    local meter = reader.text('fed meter')
    local uses = {}
    for n = 1, reader.integer('categories', 0, 64) do
      uses[n] = {
        category = reader.text('category'),
        units = reader.amount('units'),
        whole = reader.amount('weighted'),
        millionths = reader.integer('millionths', 0, MILLION - 1),
      }
    end
    breakdown[meter] = uses
  end
  return breakdown
end

-- Sums stop at the greatest amount: they decide nothing, and are no reason to refuse.
local function plus(a, b)
  return math.min(a + b, args.MAX)
end

local function decode_latest(text)
  local began, minute, in_minute, hour, in_hour = string.match(text, '^(%d+) (%d+) (%d+) (%d+) (%d+)$')
  if not began then
    error('CORRUPT usage: ' .. text, 0)
  end
  return {began = tonumber(began), minute = tonumber(minute), in_minute = tonumber(in_minute), hour = tonumber(hour),
    in_hour = tonumber(in_hour)}
end

local function earlier_of(text)
  return text and cmsgpack.unpack(text) or {{}, {}}
end

-- The pairs of `flat` from index `first` on, then one more.
local function moved_on(flat, first, index, sum)
  local kept = {}
  for n = 1, #flat, 2 do
    if flat[n] >= first then
      kept[#kept + 1] = flat[n]
      kept[#kept + 1] = flat[n + 1]
    end
  end
  if index >= first and sum > 0 then
    kept[#kept + 1] = index
    kept[#kept + 1] = sum
  end
  return kept
end

-- The sums of a meter, moved on to `now`; `earlier` only when they have changed with that.
local function sums_at(it, meter, text, now)
  local minute, hour = math.floor(now / MINUTE_MS), math.floor(now / HOUR_MS)
  local latest = text and decode_latest(text)
    or {began = now, minute = minute, in_minute = 0, hour = hour, in_hour = 0}
  local earlier
  if latest.minute ~= minute then
    earlier = earlier_of(redis.call('HGET', it.keys.usage, 'o:' .. meter))
    earlier[1] = moved_on(earlier[1], minute - MINUTES, latest.minute, latest.in_minute)
    latest.in_minute = 0
  end
  if latest.hour ~= hour then
    earlier[2] = moved_on(earlier[2], hour - HOURS, latest.hour, latest.in_hour)
    latest.in_hour = 0
  end
  latest.minute, latest.hour = minute, hour
  return {meter = meter, latest = latest, earlier = earlier}
end

local function meters_of(limits)
  local meters, seen = {}, {}
  for _, limit in ipairs(limits) do
    if not seen[limit.meter] then
      seen[limit.meter] = true
      meters[#meters + 1] = limit.meter
    end
  end
  return meters
end

-- Reads the sums that a call adds to: those of the meters of `limits`, or of holds. Before anything is written.
function usage.load(it, limits, now)
  it.sums, it.periods, it.counted = {}, {}, false
  local meters, fields = meters_of(limits), {}
  for n, meter in ipairs(meters) do
    fields[n] = 'm:' .. meter
  end
  if #meters > 0 then
    local values = redis.call('HMGET', it.keys.usage, unpack(fields))
    for n, meter in ipairs(meters) do
      it.counted = it.counted or values[n]
      it.sums[n] = sums_at(it, meter, values[n], now)
    end
  end
end

-- Takes note that something of a limit's meter was spent of `record` (nil = it is kept no more).
function usage.note(it, name, meter, record)
  if record and record.group then
    it.periods[#it.periods + 1] = {field = level.usage_field(name, record.group), meter = meter}
  end
end

local function decode_categories(text)
  local list, by_name = {}, {}
  for category, units, whole, millionths in string.gmatch(text or '', '(%S+) (%d+) (%d+) (%d+)') do
    local use = {category = category, units = tonumber(units), whole = tonumber(whole),
      millionths = tonumber(millionths)}
    list[#list + 1] = use
    by_name[category] = use
  end
  return list, by_name
end

local function with_uses(text, uses)
  local list, by_name = decode_categories(text)
  for _, use in ipairs(uses) do
    local sum = by_name[use.category]
    if not sum then
      sum = {category = use.category, units = 0, whole = 0, millionths = 0}
      list[#list + 1] = sum
    end
    local millionths = sum.millionths + use.millionths
    local carried = millionths >= MILLION and 1 or 0
    sum.units = plus(sum.units, use.units)
    sum.whole = plus(sum.whole, use.whole + carried)
    sum.millionths = millionths - carried * MILLION
  end
  local parts = {}
  for n, sum in ipairs(list) do
    parts[n] = string.format('%s %.0f %.0f %.0f', sum.category, sum.units, sum.whole, sum.millionths)
  end
  return table.concat(parts, ' ')
end

local function add_periods(out, it, breakdown)
  local fed, fields = {}, {}
  for _, period in ipairs(it.periods) do
    if breakdown[period.meter] then
      fed[#fed + 1] = period
      fields[#fields + 1] = period.field
    end
  end
  if #fed == 0 then
    return
  end
  local values = redis.call('HMGET', it.keys.usage, unpack(fields))
  for n, period in ipairs(fed) do
    out[#out + 1] = period.field
    out[#out + 1] = with_uses(values[n], breakdown[period.meter])
  end
end

-- Writes what was spent at a level, {meter = amount}, before level.save, which gives an expiry to what is new and
-- forgets what is old. The hash lives as long as the level's state.
function usage.save(it, amounts, breakdown, now)
  if #it.sums == 0 or it.record_version == '*' and not it.exists then
    return
  end
  local out = {}
  for _, sum in ipairs(it.sums) do
    local latest, amount = sum.latest, amounts[sum.meter]
    out[#out + 1] = 'm:' .. sum.meter
    out[#out + 1] = string.format('%.0f %.0f %.0f %.0f %.0f', latest.began, latest.minute,
      plus(latest.in_minute, amount), latest.hour, plus(latest.in_hour, amount))
    if sum.earlier then
      out[#out + 1] = 'o:' .. sum.meter
      out[#out + 1] = cmsgpack.pack(sum.earlier)
    end
  end
  if next(breakdown) then
    add_periods(out, it, breakdown)
  end
  redis.call('HSET', it.keys.usage, unpack(out))
  if not it.counted and it.expires and it.expires > now then
    redis.call('PEXPIRE', it.keys.usage, args.text_of(it.expires - now))
  end
end

-- The sum of the pairs from index `first` on, and the one before it.
local function summed(flat, latest_index, latest_sum, first)
  local sum, oldest = 0, 0
  local function add(index, value)
    if index >= first then
      sum = plus(sum, value)
    elseif index == first - 1 then
      oldest = value
    end
  end
  for n = 1, #flat, 2 do
    add(flat[n], flat[n + 1])
  end
  add(latest_index, latest_sum)
  return sum, oldest
end

local function add_meter(out, it, meter, now)
  local values = redis.call('HMGET', it.keys.usage, 'm:' .. meter, 'o:' .. meter)
  local began, in_hour, before_hour, in_day, before_day = 0, 0, 0, 0, 0
  if values[1] then
    local latest, earlier = decode_latest(values[1]), earlier_of(values[2])
    began = latest.began
    in_hour, before_hour =
      summed(earlier[1], latest.minute, latest.in_minute, math.floor(now / MINUTE_MS) - MINUTES + 1)
    in_day, before_day = summed(earlier[2], latest.hour, latest.in_hour, math.floor(now / HOUR_MS) - HOURS + 1)
  end
  for _, value in ipairs({meter, began, in_hour, before_hour, in_day, before_day}) do
    out[#out + 1] = value
  end
end

-- The usage of every level: per level meters (count), of each its name, the instant of its first use (0 = never), the
-- sum of the last 60 minutes, the one begun included, and of the minute before them, and the same of 24 hours; then per
-- limit categories (count), of each its name, units, and the weighted amount as whole and millionths.
function usage.add_state(out, levels, now)
  for _, it in ipairs(levels) do
    local meters = meters_of(it.limits)
    out[#out + 1] = #meters
    for _, meter in ipairs(meters) do
      add_meter(out, it, meter, now)
    end
    for _, limit in ipairs(it.limits) do
      local record = it.records[limit.name]
      local running = record.group and record.ends > 0
      local text = running and redis.call('HGET', it.keys.usage, level.usage_field(limit.name, record.group))
      local list = decode_categories(text)
      out[#out + 1] = #list
      for _, use in ipairs(list) do
        for _, value in ipairs({use.category, use.units, use.whole, use.millionths}) do
          out[#out + 1] = value
        end
      end
    end
  end
  return out
end
