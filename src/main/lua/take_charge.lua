-- Charges amounts at every limit of a subject and its parents, or at none: a reservation settled in one step.
--
-- KEYS   1 idempotency record; then six per level (lib/terms).
-- ARGV   now_ms (0 = Redis TIME); kept_ms (how long the idempotency record is kept); fingerprint ('' = no key); amounts
--        (count, then meter and amount); breakdown (lib/usage); levels (lib/terms).
-- Returns CHARGED, now, swept, charged amounts, state; REPLAYED, now, 0 and the first reply from its amounts on;
--        KEY_REUSED, now, 0; DENIED, EXCEEDS, OVERFLOW (lib/admission); STALE_PERIOD, now, 0;
--        STALE_ANCHOR, now, 0 and more (lib/level); STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: all limits are charged or none; a refusal writes at most what had lapsed.
-- Cost   O(log live + lapsed + limits), one trip.
-- Source product laws 1, 2, 6-9, 20, 25, 28.

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
--- @include lib/admission
--- @include lib/idempotency

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local kept_ms = reader.integer('kept_ms', 1000, level.CORRECTED_MS)
local fingerprint = reader.text('fingerprint')
local amounts = reader.amounts()
local breakdown = usage.read(reader)
local levels = terms.read(reader, KEYS, 2)
reader.finish()

if fingerprint ~= '' then
  local replayed = idempotency.replay(KEYS[1], fingerprint, clock.read(now_ms))
  if replayed then
    return replayed
  end
end
local now, stale = admission.prepare(levels, now_ms)
if not now then
  return stale
end
local verdict = admission.decide(levels, amounts, false, now)
if not verdict then
  for _, it in ipairs(levels) do
    usage.load(it, it.limits, now)
  end
end

-- Writes begin here.
if verdict then
  for _, it in ipairs(levels) do
    level.save_swept(it, now)
  end
  return admission.reply(verdict, levels, now)
end
for _, it in ipairs(levels) do
  for _, limit in ipairs(it.limits) do
    local record, amount = it.records[limit.name], amounts[limit.meter]
    kinds[limit.kind].spend(limit, record, amount, now)
    usage.note(it, limit.name, limit.meter, record)
  end
  usage.save(it, amounts, breakdown, now)
  level.save(it, now)
end

local body = reply.add_amounts({}, amounts)
reply.add_state(body, levels, now)
if fingerprint ~= '' then
  idempotency.save(KEYS[1], fingerprint, body, kept_ms, now)
end
return idempotency.answer('CHARGED', now, reply.swept(levels), body)
