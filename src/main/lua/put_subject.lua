-- Writes what is configured of a subject, in the slot of its root.
--
-- KEYS   1 record; 2 resources in use by this life of it; 3 members of the new parent; 4 record of the new parent;
--        5 members of the old parent; 6 members of the subject; 7 audit trail of what is configured of it.
-- ARGV   now_ms (0 = Redis TIME); subject; expected_version (as read); version (to write); incarnation; document
--        (JSON); moves (1 = the parent changes); new_parent, old_parent (1 = there is one); keeps_pointer (1 = it
--        still says that the subject lies elsewhere; the record counts once the pointer is taken away); waiting (the
--        changes that still wait for their periods to end, one to a line; '' = none); before (JSON of the limits that
--        this change puts off, as they were; '{}' = none, '' = all change now);
--        recorded (1 = this is the whole change; 0 = a step of one that another script records); by; role;
--        audit_kept_ms; audit_kept.
-- Returns WRITTEN, now, 0, version; CONFLICT, now, 0 (the version is another by now); HAS_STATE, now, 0;
--        HAS_MEMBERS, now, 0; NO_PARENT, now, 0.
-- Invariants: a parent changes only while nothing is metered under the old one, and while nobody shares through it.
--        Exactly one event for each change; what changes nothing writes nothing and keeps its version.
-- Cost   O(1).
-- Source product law 22; the configuration part of the HTTP contract.

--- @include lib/args
--- @include lib/clock
--- @include lib/trail
--- @include lib/configuration

local reader = args.reader(ARGV)
local now = clock.read(reader.integer('now_ms', 0, 253402300799999))
local subject = reader.text('subject')
local expected = reader.text('expected_version')
local version = reader.integer('version', 1, args.MAX)
local incarnation = reader.integer('incarnation', 0, args.MAX)
local document = reader.text('document')
local moves = reader.integer('moves', 0, 1) == 1
local new_parent = reader.integer('new_parent', 0, 1) == 1
local old_parent = reader.integer('old_parent', 0, 1) == 1
local keeps_pointer = reader.integer('keeps_pointer', 0, 1) == 1
local waiting = reader.text('waiting')
local before = reader.text('before')
local recorded = reader.integer('recorded', 0, 1) == 1
local author = configuration.author_of(reader)
reader.finish()

if (redis.call('HGET', KEYS[1], 'v') or '0') ~= expected then
  return {'CONFLICT', now, 0}
end
if moves then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    return {'HAS_STATE', now, 0}
  end
  if redis.call('EXISTS', KEYS[6]) == 1 then
    return {'HAS_MEMBERS', now, 0}
  end
end
if new_parent and tonumber(redis.call('HGET', KEYS[4], 'v') or 0) < 1 then
  return {'NO_PARENT', now, 0}
end
local was, waited = unpack(redis.call('HMGET', KEYS[1], 'd', 'p'))
if not moves and was == document and (before == '{}' or before == '' and not waited) then
  return {'WRITTEN', now, 0, tonumber(expected)}
end
if before ~= '' and before ~= '{}' then
  waiting = waiting .. (waiting == '' and '' or '\n') .. args.text_of(now) .. ' ' .. before
end

-- Writes begin here.
redis.call('HSET', KEYS[1], 'v', args.text_of(version), 'i', args.text_of(incarnation), 'd', document)
if not keeps_pointer then
  redis.call('HDEL', KEYS[1], 'm')
end
if waiting == '' then
  redis.call('HDEL', KEYS[1], 'p')
else
  redis.call('HSET', KEYS[1], 'p', waiting)
end
if old_parent then
  redis.call('SREM', KEYS[5], subject)
end
if new_parent then
  redis.call('SADD', KEYS[3], subject)
end
if recorded then
  configuration.save(KEYS[7], author, {operation = 'put', name = subject, before = was and expected or '0',
    version = args.text_of(version), was = was or '', is = document}, now)
end
return {'WRITTEN', now, 0, version}
