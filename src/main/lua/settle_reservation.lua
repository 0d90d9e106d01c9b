-- Charges what a reservation really cost, once, into the periods it was taken in.
--
-- KEYS   1 reservation record; 2 idempotency record; then six per level (lib/terms).
-- ARGV   now_ms (0 = Redis TIME); id; use_held (0, 1); fingerprint ('' = no key); amounts (count, then meter and
--        amount; of use_held: none); breakdown (lib/usage); levels (lib/terms; limits may be none when the plan is
--        gone).
-- Returns SETTLED, now, swept, late (0, 1), charged amounts, state, amounts charged above what was reserved; REPLAYED,
--        now, 0 and the first reply from `late` to its state; ALREADY_SETTLED, likewise, when the amounts are others;
--        NOT_FOUND, now, 0; KEY_REUSED, now, 0;
--        UNNAMED, now, 0, meter (held and not named); OVERFLOW, now, 0, meter; STALE_LEVELS, now, 0, chain;
--        STALE_PERIOD, now, 0; STALE_ANCHOR, now, 0 and more (lib/level); STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: charged once, also after a lapse or a release (late); a closed period is corrected, the current one left.
-- Cost   O(log live + lapsed + limits), one trip.
-- Source product laws 10-12, 14, 20, 23.

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
--- @include lib/usage
--- @include lib/emergencies
--- @include lib/reply
--- @include lib/idempotency
--- @include lib/reservation

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local id = reader.text('id')
local use_held = reader.integer('use_held', 0, 1) == 1
local fingerprint = reader.text('fingerprint')
local named = reader.amounts()
local breakdown = usage.read(reader)
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local function same(a, b)
  for meter, amount in pairs(a) do
    if b[meter] ~= amount then
      return false
    end
  end
  for meter in pairs(b) do
    if a[meter] == nil then
      return false
    end
  end
  return true
end

local r, now = reservation.of_call(KEYS, fingerprint, now_ms, levels)
if not r then
  return now
end

local charged = {}
for meter, amount in pairs(use_held and r.amounts or named) do
  charged[meter] = amount
end
local unnamed = {}
for meter, amount in pairs(r.amounts) do
  if charged[meter] == nil then
    charged[meter] = amount
    if meter ~= 'requests' then
      unnamed[#unnamed + 1] = meter
    end
  end
end
if #unnamed > 0 then
  table.sort(unnamed)
  return {'UNNAMED', now, 0, unnamed[1]}
end
if r.state == 'settled' then
  local status = same(charged, r.outcome.charged) and 'REPLAYED' or 'ALREADY_SETTLED'
  return idempotency.answer(status, now, 0, r.outcome.reply)
end
if r.chain ~= terms.chain(levels) then
  return {'STALE_LEVELS', now, 0, r.chain}
end
local stale = level.stale_configuration(levels, now)
if stale then
  return stale
end
for _, it in ipairs(levels) do
  level.sweep(it, now)
end
local outdated = level.project_all(levels, now)
if outdated then
  return outdated
end
local overflow = reservation.overflow(r, levels, charged, now)
if overflow then
  return {'OVERFLOW', now, 0, overflow}
end
for l, it in ipairs(levels) do
  usage.load(it, reservation.holds_at(r, l), now)
end

-- Writes begin here.
local late = reservation.state_at(r, now) ~= 'held'
reservation.close(r, id, levels, charged, now)
for l, it in ipairs(levels) do
  for _, hold in ipairs(reservation.holds_at(r, l)) do
    usage.note(it, hold.name, hold.meter, level.record_of(it, hold))
  end
  usage.save(it, charged, breakdown, now)
  level.save(it, now)
end

local body = {late and 1 or 0}
reply.add_amounts(body, charged)
reply.add_state(body, levels, now)
r.state = 'settled'
r.outcome = {charged = charged, reply = body}
reservation.save_closed(KEYS[1], r)
if fingerprint ~= '' then
  idempotency.save(KEYS[2], fingerprint, body, r.expires_at + reservation.PROOF_MS - now, now)
end
local above = {}
for meter, amount in pairs(charged) do
  local reserved = r.amounts[meter] or 0
  if amount > reserved then
    above[meter] = amount - reserved
  end
end
return reply.add_amounts(idempotency.answer('SETTLED', now, reply.swept(levels), body), above)
