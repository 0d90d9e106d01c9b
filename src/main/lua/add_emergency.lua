-- Adds one emergency top-up to the current period of a limit.
--
-- KEYS   as of every grant (lib/grant).
-- ARGV   now_ms (0 = Redis TIME); those of every grant (lib/grant), with a version; limit; amount (1 to 2^53 - 1);
--        levels (lib/terms, exactly one), which say how many there may be.
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
--- @include lib/emergencies
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
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local now, ended = grant.begin(call, KEYS, levels, now_ms)
if not now then
  return ended
end
local it = levels[1]
local limits = grant.limits_of(it, {[name] = true})
local limit, record = limits[1], it.records[name]
if (limit.emergencies or 0) == 0 then
  error('ARGUMENT limit to top up has no emergency top-ups', 0)
end
local changes = grant.changes_of(it, limits, now)
local refusal = grant.conflict(call, it)
local next_available_at = emergencies.next_at(it, limit, now)
if not refusal and next_available_at then
  refusal = {'TOPUP_CAPPED', name, next_available_at}
end
if not refusal and kinds[limit.kind].topup_overflows(record, amount) then
  refusal = {'OVERFLOW', name}
end

-- Writes begin here.
if refusal then
  return grant.save_refusal(call, KEYS, refusal, now)
end
changes[1].granted = kinds[limit.kind].topup(limit, record, amount, now)
if limit.today then
  emergencies.add(it, name, 1, now, limit.today.ends, now)
else
  record.emergencies = record.emergencies + 1
end
level.save_granted(it, now)
local body = reply.add_state(reply.add_amounts({'GRANTED'}, {[name] = amount}), levels, now)
return grant.save(call, KEYS, it, changes, true, body, now)
