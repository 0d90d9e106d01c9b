-- The only clock that decides. `now_ms` = 0 means Redis TIME; another value is the test clock.
-- Time never goes back at a level: `stored` is the last instant seen there.
local clock = {}

function clock.read(now_ms)
  if now_ms > 0 then
    return now_ms
  end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
