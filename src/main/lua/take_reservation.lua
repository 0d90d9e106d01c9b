-- Holds amounts at every limit of a subject and its parents, or at none.
--
-- KEYS   1 reservation record; 2 idempotency record; then six per level (lib/terms).
-- ARGV   now_ms (0 = Redis TIME); id; ttl_ms (1000 to 86400000); dry_run (0, 1); fingerprint ('' = no key);
--        amounts (count, then meter and amount); levels (lib/terms).
-- Returns HELD, now, swept, id, expires_at, taken amounts, state; FITS, now, 0, state (dry run);
--        REPLAYED, now, 0 and the first reply from its id on; KEY_REUSED, now, 0;
--        DENIED, TOO_MANY_HOLDS, EXCEEDS, OVERFLOW (lib/admission; of a dry run swept is 0); STALE_PERIOD, now, 0;
--        STALE_ANCHOR, now, 0 and more (lib/level); STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: all limits are held or none; a refusal writes at most what had lapsed; a dry run writes nothing.
-- Cost   O(log live + lapsed + limits), one trip.
-- Source product laws 1, 2, 6-9, 14, 15, 20, 25, 28.

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
--- @include lib/emergencies
--- @include lib/reply
--- @include lib/admission
--- @include lib/idempotency
--- @include lib/reservation

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local id = reader.text('id')
local ttl_ms = reader.integer('ttl_ms', 1000, reservation.LONGEST_LIFE_MS)
local dry_run = reader.integer('dry_run', 0, 1) == 1
local fingerprint = reader.text('fingerprint')
local amounts = reader.amounts()
local levels = terms.read(reader, KEYS, 3)
reader.finish()

if fingerprint ~= '' then
  local replayed = idempotency.replay(KEYS[2], fingerprint, clock.read(now_ms))
  if replayed then
    return replayed
  end
end
local now, stale = admission.prepare(levels, now_ms)
if not now then
  return stale
end
local verdict = admission.decide(levels, amounts, true, now)
if dry_run then
  if verdict then
    local out = admission.reply(verdict, levels, now)
    out[3] = 0
    return out
  end
  return reply.add_state({'FITS', now, 0}, levels, now)
end

-- Writes begin here.
if verdict then
  for _, it in ipairs(levels) do
    level.save_swept(it, now)
  end
  return admission.reply(verdict, levels, now)
end

local expires_at = now + ttl_ms
local held = {}
for l, it in ipairs(levels) do
  local flat = {}
  for _, limit in ipairs(it.limits) do
    local amount = amounts[limit.meter]
    flat[#flat + 1] = limit.name
    flat[#flat + 1] = limit.meter
    flat[#flat + 1] = kinds[limit.kind].take(limit, it.records[limit.name], limit.meter, amount, now)
    flat[#flat + 1] = amount
  end
  held[l] = flat
end
local taken = {state = 'held', taken_at = now, expires_at = expires_at, chain = terms.chain(levels),
  subject = levels[1].subject, resource = levels[1].resource, holds = held, amounts = amounts}
for l, it in ipairs(levels) do
  redis.call('ZADD', it.keys.leases, args.text_of(expires_at), leases.member(id, reservation.holds_at(taken, l)))
  it.leased = true
  level.save(it, now)
end
reservation.save_new(KEYS[1], taken, now)

local body = {id, expires_at}
reply.add_amounts(body, amounts)
reply.add_state(body, levels, now)
if fingerprint ~= '' then
  idempotency.save(KEYS[2], fingerprint, body, ttl_ms + reservation.PROOF_MS, now)
end
return idempotency.answer('HELD', now, reply.swept(levels), body)
