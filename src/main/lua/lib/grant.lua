-- What all grants have in common: each is granted on the version that it names, once per key, and leaves one event.
--
-- KEYS of a grant: 1 idempotency record; 2 audit trail; then six of one level (lib/terms).
-- ARGV of a grant: fingerprint ('' = no key), key, if_version (-1 = whatever it is), by, role, reason ('' = none),
-- audit_kept_ms, audit_kept (events).
local grant = {}

-- How long the first reply to a keyed grant is kept: three days.
local KEPT_MS = 259200000

-- Reads what a grant comes with.
function grant.read(reader, operation)
  return {
    operation = operation,
    fingerprint = reader.text('fingerprint'),
    key = reader.text('key'),
    if_version = reader.integer('if_version', -1, args.MAX),
    by = reader.text('by'),
    role = reader.text('role'),
    reason = reader.text('reason'),
    kept_ms = reader.integer('audit_kept_ms', 86400000, args.MAX),
    kept = reader.integer('audit_kept', 1, 1000000),
  }
end

-- Begins a grant. Returns now, or nil and the reply that ends it: the first one to its key, or that it is stale.
function grant.begin(call, keys, levels, now_ms)
  local replayed = call.fingerprint ~= '' and idempotency.replay(keys[1], call.fingerprint, clock.read(now_ms))
  if replayed then
    return nil, replayed
  end
  local now, stale = admission.prepare(levels, now_ms)
  if not now then
    return nil, stale
  end
  call.before = levels[1].projected_version
  call.resource = levels[1].resource
  return now
end

-- The refusal of a grant that names another version than the level has, or nil.
function grant.conflict(call, it)
  if call.if_version >= 0 and call.if_version ~= it.projected_version then
    return {'CONFLICT', it.projected_version}
  end
  return nil
end

-- The limits of a level with these names, in the order of the level. `named` is {name = something, ...}.
function grant.limits_of(it, named)
  local found, count = {}, 0
  for _, limit in ipairs(it.limits) do
    if named[limit.name] then
      found[#found + 1] = limit
    end
  end
  for _ in pairs(named) do
    count = count + 1
  end
  if count > #found then
    error('ARGUMENT a limit is granted that is not in the terms', 0)
  end
  return found
end

-- How the limits are before the grant, for its event.
function grant.changes_of(it, limits, now)
  local changes = {}
  for n, limit in ipairs(limits) do
    changes[n] = {limit = limit, name = limit.name, granted = 0,
      before = audit.quota_of(limit, it.records[limit.name], now)}
  end
  return changes
end

-- Makes `record` the one of a limit, after the one that has ended, in memory.
local function follow(it, limit, ended, record)
  it.records[limit.name] = record
  ended.changed = true
  it.closed[limit.name .. ':' .. args.text_of(ended.seq)] = ended
end

-- Starts a limit anew with its boundary where it is, in memory. Returns whether there was anything to reset, and the
-- period that ends with it.
function grant.reset(it, limit, now)
  local record = it.records[limit.name]
  if kinds[limit.kind] ~= period_quota then
    it.records[limit.name] = kinds[limit.kind].reset(limit, record, now)
    return true
  end
  if record.ends == 0 then
    return false
  end
  local ends = record.ends
  local fresh = period_quota.reset(limit, record, now)
  if fresh.ends == 0 and record.emergencies > 0 then
    -- No session carries them on; they count as long as the one that they were granted in would have lasted.
    emergencies.add(it, limit.name, record.emergencies, nil, ends, now)
  end
  follow(it, limit, record, fresh)
  return true, record
end

-- The instants at which a limit was restarted, the last one first, as many as its cap has to know.
function grant.restarts_of(it, name)
  local instants = {}
  for instant in string.gmatch(redis.call('HGET', it.keys.state, 'R:' .. name) or '', '%d+') do
    instants[#instants + 1] = tonumber(instant)
  end
  return instants
end

-- Starts a limit anew with a boundary that is counted from `restart.anchor`, in memory. Returns the period that ends.
function grant.restart(it, limit, restart, now)
  local record = it.records[limit.name]
  follow(it, limit, record, period_quota.restart(limit, record, restart, now))
  if restart.max > 0 then
    local instants = {args.text_of(now)}
    for n = 1, math.min(#restart.past, restart.max - 1) do
      instants[n + 1] = args.text_of(restart.past[n])
    end
    it.remembered = it.remembered or {}
    it.remembered['R:' .. limit.name] = table.concat(instants, ' ')
    it.needed = math.max(it.needed or 0, now + restart.per_ms)
  end
  return record
end

-- A first reply as its caller gets it: `body` begins with the status.
local function answer(body, now, swept)
  local out = {body[1], now, swept}
  for n = 2, #body do
    out[#out + 1] = body[n]
  end
  return out
end

local function remember(call, keys, body, now)
  if call.fingerprint ~= '' then
    idempotency.save(keys[1], call.fingerprint, body, KEPT_MS, now)
  end
end

-- Ends a grant that is refused: nothing but its key remembers it.
function grant.save_refusal(call, keys, body, now)
  remember(call, keys, body, now)
  return answer(body, now, 0)
end

-- Ends a grant. `changed` says whether the level was; without a key a grant that changed nothing leaves nothing.
function grant.save(call, keys, it, changes, changed, body, now)
  if changed or call.fingerprint ~= '' then
    for _, change in ipairs(changes) do
      change.after = audit.quota_of(change.limit, it.records[change.name], now)
    end
    call.version = it.projected_version
    audit.save(keys[2], call, changes, now)
  end
  remember(call, keys, body, now)
  return answer(body, now, it.swept)
end
