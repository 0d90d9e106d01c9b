-- Says in a subject's own slot where its record lies: with another root, or here.
--
-- KEYS   1 record of the subject in its own slot.
-- ARGV   now_ms (0 = Redis TIME); expected_version (as read); root ('' = here).
-- Returns WRITTEN, now, 0; CONFLICT, now, 0 (the version is another by now).
-- Invariants: the version moves on, so that nobody goes on with what was read before; a subject that comes back without
--        a record begins a new life. The roots that it lay with are remembered, the last one first: its audit trail is
--        there.
-- Cost   O(1).
-- Source product law 22; the configuration part of the HTTP contract.

--- @include lib/args
--- @include lib/clock

local FORMER_ROOTS = 32

local reader = args.reader(ARGV)
local now = clock.read(reader.integer('now_ms', 0, 253402300799999))
local expected = reader.text('expected_version')
local root = reader.text('root')
reader.finish()

local version = redis.call('HGET', KEYS[1], 'v') or '0'
if version ~= expected then
  return {'CONFLICT', now, 0}
end
local was, former = unpack(redis.call('HMGET', KEYS[1], 'm', 'f'))
local roots = {}
for other in string.gmatch(was and was .. '\n' .. (former or '') or '', '[^\n]+') do
  if #roots < FORMER_ROOTS and other ~= root and (#roots == 0 or other ~= was) then
    roots[#roots + 1] = other
  end
end
local registered = root == '' and redis.call('HEXISTS', KEYS[1], 'd') == 1
local moved_on = math.abs(tonumber(version)) + 1

-- Writes begin here.
redis.call('HSET', KEYS[1], 'v', args.text_of(registered and moved_on or -moved_on))
if #roots > 0 then
  redis.call('HSET', KEYS[1], 'f', table.concat(roots, '\n'))
end
if root ~= '' then
  redis.call('HSET', KEYS[1], 'm', root)
else
  redis.call('HDEL', KEYS[1], 'm')
  if not registered then
    redis.call('HINCRBY', KEYS[1], 'i', 1)
  end
end
return {'WRITTEN', now, 0}
