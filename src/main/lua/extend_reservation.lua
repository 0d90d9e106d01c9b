-- Sets the end of a live lease to the later of its end and now + ttl, up to the longest life.
--
-- KEYS   1 reservation record; 2 idempotency record; then six per level (lib/terms).
-- ARGV   now_ms (0 = Redis TIME); id; ttl_ms (1000 to 86400000); fingerprint ('' = no key); levels (lib/terms, without
--        limits).
-- Returns EXTENDED, now, 0, expires_at, capped (0, 1); REPLAYED, now, 0 and the first reply from expires_at on;
--        CLOSED, now, 0, state; NOT_FOUND, now, 0; KEY_REUSED, now, 0; STALE_LEVELS, now, 0, chain;
--        STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: a lease never ends sooner than it did, nor later than 24 h after it was taken.
-- Cost   O(log live), one trip.
-- Source product law 13.

--- @include lib/args
--- @include lib/clock
--- @include lib/exact
--- @include lib/period_quota
--- @include lib/token_bucket
--- @include lib/sliding_budget
--- @include lib/kinds
--- @include lib/leases
--- @include lib/terms
--- @include lib/level
--- @include lib/idempotency
--- @include lib/reservation

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local id = reader.text('id')
local ttl_ms = reader.integer('ttl_ms', 1000, reservation.LONGEST_LIFE_MS)
local fingerprint = reader.text('fingerprint')
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local r, now = reservation.of_call(KEYS, fingerprint, now_ms, levels)
if not r then
  return now
end
local state = reservation.state_at(r, now)
if state ~= 'held' then
  return {'CLOSED', now, 0, state}
end
if r.chain ~= terms.chain(levels) then
  return {'STALE_LEVELS', now, 0, r.chain}
end
local stale = level.stale_configuration(levels, now)
if stale then
  return stale
end
local longest = r.taken_at + reservation.LONGEST_LIFE_MS
local capped = now + ttl_ms > longest
local expires_at = math.max(r.expires_at, math.min(now + ttl_ms, longest))

-- Writes begin here.
if expires_at > r.expires_at then
  r.expires_at = expires_at
  for n, it in ipairs(levels) do
    redis.call('ZADD', it.keys.leases, 'XX', args.text_of(expires_at),
      leases.member(id, reservation.holds_at(r, n)))
  end
  reservation.save_new(KEYS[1], r, now)
end
local body = {expires_at, capped and 1 or 0}
if fingerprint ~= '' then
  idempotency.save(KEYS[2], fingerprint, body, expires_at + reservation.PROOF_MS - now, now)
end
return {'EXTENDED', now, 0, body[1], body[2]}
