-- The record of a keyed call: {fingerprint, expires, reply}. It carries its own end, so that one which has ended by the
-- call's clock is gone whatever the key's expiry says.
local idempotency = {}

-- A reply: the status, now, swept, and the body that is the first reply.
function idempotency.answer(status, now, swept, body)
  local out = {status, now, swept}
  for _, value in ipairs(body) do
    out[#out + 1] = value
  end
  return out
end

-- nil when the key is new; else a reply: KEY_REUSED, or REPLAYED, now, 0 and the first reply.
function idempotency.replay(key, fingerprint, now)
  local text = redis.call('GET', key)
  if not text then
    return nil
  end
  local record = cmsgpack.unpack(text)
  if record[2] <= now then
    return nil
  end
  if record[1] ~= fingerprint then
    return {'KEY_REUSED', now, 0}
  end
  return idempotency.answer('REPLAYED', now, 0, record[3])
end

function idempotency.save(key, fingerprint, first_reply, kept_ms, now)
  redis.call('SET', key, cmsgpack.pack({fingerprint, now + kept_ms, first_reply}), 'PX', args.text_of(kept_ms))
end
