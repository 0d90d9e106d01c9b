-- Takes over the plans of a file, whole, when its revision is greater than the one imported last.
--
-- KEYS   1 plans (put_plan).
-- ARGV   now_ms (0 = Redis TIME); channel (of changes); revision; default_plan ('' = none); plans (count), then
--        name and document (JSON).
-- Returns WRITTEN, now, 0; NOT_NEWER, now, 0, revision as it is.
-- Invariants: plans that an earlier file owned and this one lacks are deleted; those of the API stay, unless named.
-- Cost   O(plans).
-- Source product law 22; the configuration part of the HTTP contract.

--- @include lib/args
--- @include lib/clock
--- @include lib/plans

local reader = args.reader(ARGV)
local now = clock.read(reader.integer('now_ms', 0, 253402300799999))
local channel = reader.text('channel')
local revision = reader.integer('revision', 1, args.MAX)
local default_plan = reader.text('default_plan')
local documents = {}
local names = {}
for n = 1, reader.integer('plans', 0, 1000) do
  names[n] = reader.text('name')
  documents[names[n]] = reader.text('document')
end
reader.finish()

local imported = tonumber(redis.call('HGET', KEYS[1], 'r') or 0)
if revision <= imported then
  return {'NOT_NEWER', now, 0, imported}
end
local stored = redis.call('HGETALL', KEYS[1])

-- Writes begin here.
local generation = plans.move_on(KEYS[1], channel, now)
for n = 1, #stored, 2 do
  local name = string.match(stored[n], '^p:(.*)$')
  if name and not documents[name] and string.match(stored[n + 1], '^%d+ file ') then
    redis.call('HDEL', KEYS[1], stored[n])
  end
end
for _, name in ipairs(names) do
  redis.call('HSET', KEYS[1], 'p:' .. name, args.text_of(generation) .. ' file ' .. documents[name])
end
redis.call('HSET', KEYS[1], 'r', args.text_of(revision), 'd', default_plan)
return {'WRITTEN', now, 0}
