-- One level of a call on one resource: its state as read, as it is now, and what of it is to be written.
--
-- State hash: t (last instant), v (version: a stamp in ms that only moves on), g (newest generation of the plans that
-- it was written with), x (instant the keys expire at, absent for registered subjects), e (emergency top-ups that no
-- period counts: `name count at ends`, `;` between; they count until an instant, those that were counted by the day
-- also in every day that they are in; `at` is the quarter of an hour, - = it does not matter), `R:<limit>` (instants of
-- restarts, the last one first), and the records of the limits, by the FIELD of their kind and their name. History
-- hash: `<limit>:<seq>` = the record of a closed period.
local level = {}

-- A closed period can still be corrected this long after its end: the longest lease and its proof, 24 h each.
level.CORRECTED_MS = 172800000
-- An expiry is set with this much to spare, so that it is not written at every call.
local EXPIRY_SLACK_MS = 3600000
-- How many values go into one command: Lua hands over some 8,000 at most, and a level may have more closed periods.
local VALUES_AT_ONCE = 1000

local function field_of(limit)
  return kinds[limit.kind].FIELD .. limit.name
end

local function decoded(field, text)
  return text and kinds.of_field(field).decode(text) or false
end

-- Reads a level: what is stored of it, by field of the state.
function level.load(it)
  local fields = {'t', 'v', 'x', 'e', 'g'}
  for n, limit in ipairs(it.limits) do
    fields[5 + n] = field_of(limit)
  end
  local values = redis.call('HMGET', it.keys.state, unpack(fields))
  it.exists = values[1] ~= false
  it.last_instant = tonumber(values[1]) or 0
  it.version = tonumber(values[2]) or 0
  it.expires = tonumber(values[3])
  it.passing = values[4] or ''
  it.plans_seen = tonumber(values[5]) or 0
  it.stored = {}
  it.changed = {}
  it.closed = {}
  it.swept = 0
  for n = 1, #it.limits do
    it.stored[fields[5 + n]] = decoded(fields[5 + n], values[5 + n])
  end
end

-- The greatest of the clock's instant and of the last instant of every level is now.
function level.now(levels, clock_now)
  for _, it in ipairs(levels) do
    clock_now = math.max(clock_now, it.last_instant)
  end
  return clock_now
end

-- Whether a level is by now configured otherwise than the call was decided with: its record is of another version
-- ('*' = it does not matter), or it was written with newer plans (0 = they do not matter).
local function is_configured_otherwise(it)
  return it.record_version ~= '*'
    and (it.plans > 0 and it.plans < it.plans_seen
      or (redis.call('HGET', it.keys.record, 'v') or '0') ~= it.record_version)
end

-- What a call answers that was decided with what is configured no more: STALE_CONFIG, now, 0, generation of the newest
-- plans that a level was written with; nil for any other.
function level.stale_configuration(levels, now)
  for _, it in ipairs(levels) do
    if is_configured_otherwise(it) then
      local seen = 0
      for _, any in ipairs(levels) do
        seen = math.max(seen, any.plans_seen)
      end
      return {'STALE_CONFIG', now, 0, seen}
    end
  end
end

-- Whether a stored record is the period `ref`. A session that is not running bears the number of the last one, which is
-- in the history.
local function is_of(record, ref)
  return record and record.ends > 0 and args.text_of(record.seq) == ref
end

-- The record that a hold {name, ref} is of: the limit's own, or of a period the closed one; nil = it is kept no more.
-- Whoever changes it says so by level.touch.
function level.record_of(it, hold)
  local kind = kinds.of_ref(hold.ref)
  local field = kind.FIELD .. hold.name
  if it.stored[field] == nil then
    it.stored[field] = decoded(field, redis.call('HGET', it.keys.state, field))
  end
  local record = it.stored[field]
  if kind ~= period_quota then
    return it.projected and it.projected[field] or record or nil
  end
  if is_of(record, hold.ref) then
    return record
  end
  local closed = hold.name .. ':' .. hold.ref
  if it.closed[closed] == nil then
    it.closed[closed] = decoded(field, redis.call('HGET', it.keys.history, closed))
  end
  return it.closed[closed] or nil
end

function level.touch(it, hold, record)
  local kind = kinds.of_ref(hold.ref)
  local field = kind.FIELD .. hold.name
  if kind ~= period_quota or it.stored[field] == record then
    it.changed[field] = true
  else
    record.changed = true
  end
end

-- Takes what has lapsed at `now` out of what is held, in memory.
function level.sweep(it, now)
  it.live = redis.call('ZCARD', it.keys.leases)
  if it.live == 0 then
    return
  end
  local lapsed = leases.lapsed(it.keys.leases, now)
  for _, member in ipairs(lapsed) do
    for _, hold in ipairs(leases.holds_of(member)) do
      local record = level.record_of(it, hold)
      if record then
        kinds.of_ref(hold.ref).lapse(record, hold)
        level.touch(it, hold, record)
      end
    end
  end
  it.swept = #lapsed
  it.live = it.live - #lapsed
end

-- The live leases that end soonest, and the end of the last one when those are not all (lib/leases).
function level.soonest(it, now)
  if not it.soonest then
    it.soonest, it.last = leases.soonest(it.keys.leases, now)
  end
  return it.soonest, it.last
end

-- Projects every limit to `now`, in memory: it.records by limit name, it.projected by field, and it.projected_version.
-- Returns whether the terms reach now, and {limit, anchor} of those that were computed by another anchor.
function level.project(it, now)
  it.records = {}
  it.projected = {}
  local passed_by_all, boundary = 0, 0
  local reached, anchors = true, {}
  for _, limit in ipairs(it.limits) do
    local kind, field = kinds[limit.kind], field_of(limit)
    local record, passed, since = kind.project(limit, it.stored[field] or nil, now)
    if record then
      it.records[limit.name] = record
      it.projected[field] = record
      passed_by_all = passed_by_all + passed
      boundary = passed > 0 and math.max(boundary, since) or boundary
    else
      reached = false
      anchors[#anchors + 1] = passed and {limit.name, passed}
    end
  end
  -- The last boundary, which comes no second time; more where a burst of grants has moved the stamp past the clock.
  it.projected_version = it.exists and math.max(it.version + passed_by_all, boundary) or 0
  return reached, anchors
end

-- Projects every level. Returns nil, or the reply that ends the call: STALE_PERIOD, now, 0; or, for periods that are to
-- be computed by other anchors, STALE_ANCHOR, now, 0, count, then level (from 1), limit and anchor (0 = the plan's) of
-- each.
function level.project_all(levels, now)
  local all_reached = true
  local out = {'STALE_ANCHOR', now, 0, 0}
  for l, it in ipairs(levels) do
    local reached, anchors = level.project(it, now)
    all_reached = all_reached and reached
    for _, anchor in ipairs(anchors) do
      out[4] = out[4] + 1
      out[#out + 1] = l
      out[#out + 1] = anchor[1]
      out[#out + 1] = anchor[2]
    end
  end
  if out[4] > 0 then
    return out
  end
  return not all_reached and {'STALE_PERIOD', now, 0} or nil
end

-- The field of the usage hash with the sums of the periods of a group (lib/usage).
function level.usage_field(name, group)
  return 'c:' .. name .. ':' .. args.text_of(group)
end

-- Forgets the sums of periods that are kept no more, but those of a group that others are of, too.
local function forget_usage(it, name, forgotten, kept)
  local text = redis.call('HGET', it.keys.state, period_quota.FIELD .. name)
  if text then
    kept[period_quota.decode(text).group] = true
  end
  for group in pairs(forgotten) do
    if not kept[group] then
      redis.call('HDEL', it.keys.usage, level.usage_field(name, group))
    end
  end
end

local function forget_old_periods(it, now)
  if redis.call('HLEN', it.keys.history) <= it.history_kept * math.max(1, #it.limits) then
    return
  end
  local all = redis.call('HGETALL', it.keys.history)
  local by_limit = {}
  for n = 1, #all, 2 do
    local name = string.match(all[n], '^(.*):%-?%d+$')
    local list = by_limit[name] or {}
    by_limit[name] = list
    list[#list + 1] = {field = all[n], record = period_quota.decode(all[n + 1])}
  end
  for name, list in pairs(by_limit) do
    table.sort(list, function(a, b)
      return a.record.seq > b.record.seq
    end)
    local forgotten, kept = {}, {}
    for n, closed in ipairs(list) do
      local record = closed.record
      if n > it.history_kept and (record.open == 0 or record.ends + level.CORRECTED_MS <= now) then
        redis.call('HDEL', it.keys.history, closed.field)
        forgotten[record.group] = true
      else
        kept[record.group] = true
      end
    end
    if next(forgotten) then
      forget_usage(it, name, forgotten, kept)
    end
  end
end

local function save_history(it, now)
  local fields = {}
  for field, record in pairs(it.closed) do
    if record and record.changed then
      fields[#fields + 1] = field
      fields[#fields + 1] = period_quota.encode(record)
    end
  end
  if #fields > 0 then
    for first = 1, #fields, VALUES_AT_ONCE do
      local last = math.min(first + VALUES_AT_ONCE - 1, #fields)
      redis.call('HSET', it.keys.history, unpack(fields, first, last))
    end
    forget_old_periods(it, now)
  end
  return #fields > 0
end

-- State of a subject that nobody registered expires once nothing can need it; that of a registered one never does.
-- A key that is new, or that outlives its expiry, gets one; no other key is touched.
local function save_expiry(it, now, new_history)
  local keys = {it.keys.state, it.keys.leases, it.keys.history, it.keys.resources, it.keys.usage}
  if it.record_version == '*' then
    return
  end
  if not it.expiring then
    if it.expires then
      redis.call('HDEL', it.keys.state, 'x')
      for _, key in ipairs(keys) do
        redis.call('PERSIST', key)
      end
    end
    return
  end
  local needed = math.max(now + level.CORRECTED_MS, it.needed or 0)
  for _, limit in ipairs(it.limits) do
    local whole = it.records and kinds[limit.kind].reset_at(it.records[limit.name], now) or 0
    needed = math.max(needed, whole + level.CORRECTED_MS)
  end
  if not it.expires or needed > it.expires then
    it.expires = needed + EXPIRY_SLACK_MS
    redis.call('HSET', it.keys.state, 'x', args.text_of(it.expires))
    for _, key in ipairs(keys) do
      redis.call('PEXPIRE', key, args.text_of(it.expires - now))
    end
    return
  end
  local left = args.text_of(it.expires - now)
  if it.leased and it.live == 0 then
    redis.call('PEXPIRE', it.keys.leases, left)
  end
  if new_history then
    redis.call('PEXPIRE', it.keys.history, left)
  end
end

-- Field and text of every record that was changed.
local function add_changed(fields, it)
  for field in pairs(it.changed) do
    fields[#fields + 1] = field
    fields[#fields + 1] = kinds.of_field(field).encode(it.stored[field])
  end
end

-- Makes the records as they are now those that are written, and closes the periods that they follow.
local function take_over(it)
  for _, limit in ipairs(it.limits) do
    local kind, field = kinds[limit.kind], field_of(limit)
    local stored, record = it.stored[field], it.records[limit.name]
    if kind == period_quota and stored and stored ~= record and stored.ends > 0 then
      stored.changed = true
      it.closed[limit.name .. ':' .. args.text_of(stored.seq)] = stored
    end
    if stored or kind.is_begun(record) then
      it.stored[field] = record
      it.changed[field] = true
    end
  end
end

-- Writes a granted call: what lapsed, what has ended, and the records as they are now.
function level.save(it, now)
  take_over(it)
  if it.swept > 0 then
    redis.call('ZREMRANGEBYSCORE', it.keys.leases, '-inf', args.text_of(now))
  end
  it.soonest = nil
  if it.record_version == '*' and not it.exists then
    -- Settled into what is gone by now: a state made anew would never expire.
    save_history(it, now)
    return
  end
  local version = it.projected_version > 0 and it.projected_version or now
  local fields = {'t', args.text_of(now), 'v', args.text_of(version)}
  if it.plans > it.plans_seen and it.record_version ~= '*' then
    fields[#fields + 1] = 'g'
    fields[#fields + 1] = args.text_of(it.plans)
  end
  add_changed(fields, it)
  for field, text in pairs(it.remembered or {}) do
    fields[#fields + 1] = field
    fields[#fields + 1] = text
  end
  redis.call('HSET', it.keys.state, unpack(fields))
  if not it.exists then
    redis.call('SADD', it.keys.resources, it.resource)
  end
  it.version = version
  it.projected_version = version
  save_expiry(it, now, save_history(it, now))
end

-- Writes a grant, which moves the version on past every one that was shown, under whatever terms that was: none is of
-- an instant after now.
function level.save_granted(it, now)
  it.projected_version = math.max(it.projected_version, now) + 1
  level.save(it, now)
end

-- Writes holds that were taken back, and nothing else: no roll-over, no expiry, no new key.
function level.save_holds(it, now)
  local fields = {'t', args.text_of(now)}
  add_changed(fields, it)
  if it.exists then
    redis.call('HSET', it.keys.state, unpack(fields))
  end
  save_history(it, now)
end

-- Writes what time alone has done to the leases of a refused call.
function level.save_swept(it, now)
  if it.swept > 0 then
    redis.call('ZREMRANGEBYSCORE', it.keys.leases, '-inf', args.text_of(now))
    level.save_holds(it, now)
  end
end
