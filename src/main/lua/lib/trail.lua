-- Audit trails: streams of events, bounded by age and by count.
local trail = {}

-- The instant of the event, or what follows the last event where that is later.
local function next_id(key, now)
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  local ms, n = string.match(last and last[1] or '', '^(%d+)%-(%d+)$')
  if ms and tonumber(ms) >= now then
    return ms .. '-' .. args.text_of(tonumber(n) + 1)
  end
  return args.text_of(now) .. '-0'
end

-- Adds one event to the trail at `key`; the newest `kept` stay, for `kept_ms`.
function trail.save(key, fields, kept, kept_ms, now)
  redis.call('XADD', key, 'MAXLEN', args.text_of(kept), next_id(key, now), unpack(fields))
  redis.call('XTRIM', key, 'MINID', args.text_of(math.max(0, now - kept_ms)))
  redis.call('PEXPIRE', key, args.text_of(kept_ms))
end
