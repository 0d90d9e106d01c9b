-- The generation of all plans: another number after every change of any, told to all who listen.
local plans = {}

-- Moves the generation on and returns it. It is at least the seconds since 1970, so that none comes twice, not even
-- after the last changes were lost with a server.
function plans.move_on(key, channel, now)
  local before = tonumber(redis.call('HGET', key, 'g') or 0)
  local generation = math.max(before + 1, math.floor(now / 1000))
  redis.call('HSET', key, 'g', args.text_of(generation))
  redis.call('PUBLISH', channel, args.text_of(generation))
  return generation
end
