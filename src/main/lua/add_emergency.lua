-- Adds one emergency top-up to the current period of a limit.
--
-- KEYS   as of every grant (lib/grant).
-- ARGV   now_ms (0 = Redis TIME); those of every grant (lib/grant), with a version; limit; amount (1 to 2^53 - 1); max
--        (1 to 10000); per_day (1 = counted per day, 0 = per period); start and end of two consecutive days of the
--        subject's zone; levels (lib/terms, exactly one).
-- Returns GRANTED, now, swept, granted amounts by limit, state; CONFLICT, now, 0, version as it is; TOPUP_CAPPED, now,
--        0, limit, next_available_at; OVERFLOW, now, 0, limit; REPLAYED, now, 0 and one of these without its now and
--        swept; KEY_REUSED, now, 0; STALE_PERIOD, now, 0; STALE_ANCHOR, now, 0 and more (lib/level); STALE_CONFIG,
--        now, 0, plans_seen (lib/level).
-- Invariants: the end of no period moves; of all grants on one version at most one is granted; exactly one event.
-- Cost   O(log live + lapsed + limits), one trip.
-- Source product laws 17, 19-21, 23.

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
--- @include lib/reply
--- @include lib/admission
--- @include lib/idempotency
--- @include lib/trail
--- @include lib/audit
--- @include lib/grant

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local call = grant.read(reader, 'emergency')
local name = reader.text('limit to top up')
local amount = reader.integer('amount', 1, args.MAX)
local max = reader.integer('max', 1, 10000)
local per_day = reader.integer('per_day', 0, 1) == 1
local days = {}
for n = 1, 2 do
  days[n] = {starts = reader.instant('day start'), ends = reader.instant('day end')}
end
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local now, ended = grant.begin(call, KEYS, levels, now_ms)
if not now then
  return ended
end
local today
for _, day in ipairs(days) do
  if day.starts <= now and now < day.ends then
    today = day
  end
end
if not today then
  return {'STALE_PERIOD', now, 0}
end
local it = levels[1]
local limits = grant.limits_of(it, {[name] = true})
local record = it.records[name]
local changes = grant.changes_of(it, limits, now)
local refusal = grant.conflict(call, it)
local next_available_at = grant.emergency_at(it, name, max, now)
if not refusal and next_available_at then
  refusal = {'TOPUP_CAPPED', name, next_available_at}
end
if not refusal and kinds[limits[1].kind].topup_overflows(record, amount) then
  refusal = {'OVERFLOW', name}
end

-- Writes begin here.
if refusal then
  return grant.save_refusal(call, KEYS, refusal, now)
end
changes[1].granted = kinds[limits[1].kind].topup(limits[1], record, amount, now)
if per_day then
  grant.add_passing(it, name, 1, today.ends, now)
else
  record.emergencies = record.emergencies + 1
end
level.save_granted(it, now)
local body = reply.add_state(reply.add_amounts({'GRANTED'}, {[name] = amount}), levels, now)
return grant.save(call, KEYS, it, changes, true, body, now)
