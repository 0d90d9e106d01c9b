-- Deletes one plan.
--
-- KEYS   1 plans (put_plan); 2 audit trail of all plans.
-- ARGV   now_ms (0 = Redis TIME); channel (of changes); name; if_version (-1 = whatever it is); by; role;
--        audit_kept_ms; audit_kept.
-- Returns WRITTEN, now, 0; NOT_FOUND, now, 0; CONFLICT, now, 0, version as it is; MANAGED_BY_FILE, now, 0.
-- Invariants: the generation grows, so that every process reads its plans again. Exactly one event for each
--        deletion.
-- Cost   O(1).
-- Source the configuration part of the HTTP contract.

--- @include lib/args
--- @include lib/clock
--- @include lib/plans
--- @include lib/trail
--- @include lib/configuration

local reader = args.reader(ARGV)
local now = clock.read(reader.integer('now_ms', 0, 253402300799999))
local channel = reader.text('channel')
local name = reader.text('name')
local if_version = reader.integer('if_version', -1, args.MAX)
local author = configuration.author_of(reader)
reader.finish()

local stored = redis.call('HGET', KEYS[1], 'p:' .. name)
if not stored then
  return {'NOT_FOUND', now, 0}
end
local version, owner, was = string.match(stored, '^(%d+) (%a+) (.*)$')
if owner == 'file' then
  return {'MANAGED_BY_FILE', now, 0}
end
if if_version >= 0 and if_version ~= tonumber(version) then
  return {'CONFLICT', now, 0, tonumber(version)}
end

-- Writes begin here.
plans.move_on(KEYS[1], channel, now)
redis.call('HDEL', KEYS[1], 'p:' .. name)
configuration.save(KEYS[2], author, {operation = 'delete', name = name, before = version, version = '0', was = was,
  is = ''}, now)
return {'WRITTEN', now, 0}
