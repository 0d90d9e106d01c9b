-- Writes one plan.
--
-- KEYS   1 plans: a hash of g (generation, grows with every change), r (revision of the file), d (default plan of the
--        file), and `p:<name>` = version, owner ('api' or 'file') and document, a space between; 2 audit trail of all
--        plans.
-- ARGV   now_ms (0 = Redis TIME); channel (of changes); name; if_version (-1 = whatever it is); document (JSON);
--        by; role; audit_kept_ms; audit_kept.
-- Returns WRITTEN, now, 0, version; CONFLICT, now, 0, version as it is (0 = none); MANAGED_BY_FILE, now, 0.
-- Invariants: a version never comes twice. Exactly one event for each change; the document that is there already
--        changes nothing, writes nothing and keeps its version.
-- Cost   O(1).
-- Source product law 22; the configuration part of the HTTP contract.

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
local document = reader.text('document')
local author = configuration.author_of(reader)
reader.finish()

local stored = redis.call('HGET', KEYS[1], 'p:' .. name)
local version, owner, was = string.match(stored or '0 api ', '^(%d+) (%a+) (.*)$')
if owner == 'file' then
  return {'MANAGED_BY_FILE', now, 0}
end
if if_version >= 0 and if_version ~= tonumber(version) then
  return {'CONFLICT', now, 0, tonumber(version)}
end
if stored and was == document then
  return {'WRITTEN', now, 0, tonumber(version)}
end

-- Writes begin here.
local generation = plans.move_on(KEYS[1], channel, now)
redis.call('HSET', KEYS[1], 'p:' .. name, args.text_of(generation) .. ' api ' .. document)
configuration.save(KEYS[2], author, {operation = 'put', name = name, before = version,
  version = args.text_of(generation), was = was, is = document}, now)
return {'WRITTEN', now, 0, generation}
