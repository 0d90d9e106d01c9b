-- The record of one reservation, written once when it is taken and once when it is closed. 'lapsed' is not stored: it
-- follows from the end of the lease.
--
-- An array: state ('held', 'settled', 'released'), taken_at, expires_at, chain, subject, resource, holds, amounts,
-- outcome. `holds` has an array per level, {name, meter, ref, amount, ...}; `amounts` is {meter = amount} as reserved;
-- `outcome` is, once settled, {charged = {meter = amount}, reply = the first reply}.
local reservation = {}

-- The proof that a reservation was settled outlives its lease by this.
reservation.PROOF_MS = 86400000
-- However often it is extended, a lease ends this long after it was taken.
reservation.LONGEST_LIFE_MS = 86400000

function reservation.decode(text)
  local r = cmsgpack.unpack(text)
  return {state = r[1], taken_at = r[2], expires_at = r[3], chain = r[4], subject = r[5], resource = r[6],
    holds = r[7], amounts = r[8], outcome = r[9] or nil}
end

function reservation.encode(r)
  return cmsgpack.pack({r.state, r.taken_at, r.expires_at, r.chain, r.subject, r.resource, r.holds, r.amounts,
    r.outcome or false})
end

-- The reservation of this subject and resource at `now`, or nil: unknown, another's, or its proof has ended.
function reservation.find(key, subject, resource, now)
  local text = redis.call('GET', key)
  if not text then
    return nil
  end
  local r = reservation.decode(text)
  if r.subject ~= subject or r.resource ~= resource or r.expires_at + reservation.PROOF_MS <= now then
    return nil
  end
  return r
end

-- Begins a call on a reservation: KEYS 1 its record and 2 the idempotency record. Loads the levels; returns the
-- reservation and now, or nil and the reply that ends the call.
function reservation.of_call(keys, fingerprint, now_ms, levels)
  local clock_now = clock.read(now_ms)
  local replayed = fingerprint ~= '' and idempotency.replay(keys[2], fingerprint, clock_now)
  if replayed then
    return nil, replayed
  end
  for _, it in ipairs(levels) do
    level.load(it)
  end
  local now = level.now(levels, clock_now)
  local r = reservation.find(keys[1], levels[1].subject, levels[1].resource, now)
  if not r then
    return nil, {'NOT_FOUND', now, 0}
  end
  return r, now
end

-- held, settled, released or lapsed.
function reservation.state_at(r, now)
  if r.state == 'held' and r.expires_at <= now then
    return 'lapsed'
  end
  return r.state
end

function reservation.save_new(key, r, now)
  redis.call('SET', key, reservation.encode(r), 'PX', args.text_of(r.expires_at + reservation.PROOF_MS - now))
end

function reservation.save_closed(key, r)
  redis.call('SET', key, reservation.encode(r), 'KEEPTTL')
end

-- What the reservation holds at level n: {name, meter, ref, amount} of each limit.
function reservation.holds_at(r, n)
  local list = {}
  local flat = r.holds[n] or {}
  for i = 1, #flat, 4 do
    list[#list + 1] = {name = flat[i], meter = flat[i + 1], ref = flat[i + 2], amount = flat[i + 3]}
  end
  return list
end

-- Ends what the reservation holds at every level, in memory but for the lease sets: settles it with `charged` = {meter
-- = amount}, or releases it when that is nil.
function reservation.close(r, id, levels, charged, now)
  local before = reservation.state_at(r, now)
  for n, it in ipairs(levels) do
    local holds = reservation.holds_at(r, n)
    if before == 'held' then
      redis.call('ZREM', it.keys.leases, leases.member(id, holds))
    end
    for _, hold in ipairs(holds) do
      local kind, record = kinds.of_ref(hold.ref), level.record_of(it, hold)
      if record and charged then
        kind.settle(record, hold, charged[hold.meter], before, now, r.taken_at)
      elseif record then
        kind.release(record, hold, now, r.taken_at)
      end
      if record then
        level.touch(it, hold, record)
      end
    end
  end
end

-- The first meter of which settling `charged` would bring a sum above the greatest, or nil.
function reservation.overflow(r, levels, charged, now)
  local before = reservation.state_at(r, now)
  for n, it in ipairs(levels) do
    for _, hold in ipairs(reservation.holds_at(r, n)) do
      local record = level.record_of(it, hold)
      if record and kinds.of_ref(hold.ref).overflows(record, hold, charged[hold.meter], before, now) then
        return hold.meter
      end
    end
  end
  return nil
end
