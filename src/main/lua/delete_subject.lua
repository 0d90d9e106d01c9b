-- Ends a life of a subject, in the slot of its root. What remains is a record without a document.
--
-- KEYS   1 record; 2 resources in use by this life of it; 3 members of its parent; 4 members of the subject; 5 audit
--        trail of what is configured of it; then every key of its state.
-- ARGV   now_ms (0 = Redis TIME); subject; expected_version (as read); incarnation (of the next life);
--        moves (1 = refuse while it has state: it is about to live elsewhere); parent (1 = there is one);
--        kept_ms (how long its state is kept, for what is settled late); moved_to (the root it lies with from now on,
--        '' = none); operation (what the audit trail calls it, '' = a step that is not recorded); version (0 = none)
--        and document ('' = none) of the subject from now on; by; role; audit_kept_ms; audit_kept.
-- Returns WRITTEN, now, 0; CONFLICT, now, 0; HAS_STATE, now, 0; HAS_MEMBERS, now, 0.
-- Invariants: the version of the record never comes twice; below 0 it says that nobody is registered. What was
--        permanent of the state expires from now on. A move is recorded here, where it is decided.
-- Cost   O(resources).
-- Source product law 10; the configuration part of the HTTP contract.

--- @include lib/args
--- @include lib/clock
--- @include lib/trail
--- @include lib/configuration

local reader = args.reader(ARGV)
local now = clock.read(reader.integer('now_ms', 0, 253402300799999))
local subject = reader.text('subject')
local expected = reader.text('expected_version')
local incarnation = reader.integer('incarnation', 0, args.MAX)
local moves = reader.integer('moves', 0, 1) == 1
local parent = reader.integer('parent', 0, 1) == 1
local kept_ms = reader.integer('kept_ms', 1000, 172800000)
local moved_to = reader.text('moved_to')
local operation = reader.text('operation')
local version_after = reader.integer('version', 0, args.MAX)
local document = reader.text('document')
local author = configuration.author_of(reader)
reader.finish()

local version = redis.call('HGET', KEYS[1], 'v') or '0'
if version ~= expected then
  return {'CONFLICT', now, 0}
end
if redis.call('EXISTS', KEYS[4]) == 1 then
  return {'HAS_MEMBERS', now, 0}
end
if moves and redis.call('EXISTS', KEYS[2]) == 1 then
  return {'HAS_STATE', now, 0}
end
local was = redis.call('HGET', KEYS[1], 'd')

-- Writes begin here.
redis.call('HSET', KEYS[1], 'v', args.text_of(-(math.abs(tonumber(version)) + 1)), 'i', args.text_of(incarnation))
redis.call('HDEL', KEYS[1], 'd', 'p')
if moved_to ~= '' then
  redis.call('HSET', KEYS[1], 'm', moved_to)
end
if parent then
  redis.call('SREM', KEYS[3], subject)
end
for n, key in ipairs(KEYS) do
  if (n == 2 or n > 5) and redis.call('PTTL', key) == -1 then
    redis.call('PEXPIRE', key, args.text_of(kept_ms))
  end
end
if operation ~= '' then
  configuration.save(KEYS[5], author, {operation = operation, name = subject, before = was and version or '0',
    version = args.text_of(version_after), was = was or '', is = document}, now)
end
return {'WRITTEN', now, 0}
