-- Gives back what a reservation holds; charges nothing.
--
-- KEYS   1 reservation record; 2 idempotency record; then six per level (lib/terms).
-- ARGV   now_ms (0 = Redis TIME); id; fingerprint ('' = no key); levels (lib/terms, without limits).
-- Returns CLOSED, now, 0, state ('released', 'settled' or 'lapsed'), changed (1 = it was held until now);
--        REPLAYED, now, 0, state; NOT_FOUND, now, 0; KEY_REUSED, now, 0; STALE_LEVELS, now, 0, chain.
-- Invariants: a settled, released or lapsed reservation stays as it is; nothing is ever given back twice.
-- Cost   O(log live), one trip.
-- Source product laws 11, 12.

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
local fingerprint = reader.text('fingerprint')
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local r, now = reservation.of_call(KEYS, fingerprint, now_ms, levels)
if not r then
  return now
end
local state = reservation.state_at(r, now)
if state == 'held' and r.chain ~= terms.chain(levels) then
  return {'STALE_LEVELS', now, 0, r.chain}
end

-- Writes begin here.
local changed = state == 'held'
if changed then
  reservation.close(r, id, levels, nil, now)
  for _, it in ipairs(levels) do
    level.save_holds(it, now)
  end
  r.state = 'released'
  state = 'released'
  reservation.save_closed(KEYS[1], r)
end
if fingerprint ~= '' then
  idempotency.save(KEYS[2], fingerprint, {state}, r.expires_at + reservation.PROOF_MS - now, now)
end
return {'CLOSED', now, 0, state, changed and 1 or 0}
