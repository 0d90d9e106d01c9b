-- Adds purchases to the current periods of limits, to all that it names or to none.
--
-- KEYS   as of every grant (lib/grant).
-- ARGV   now_ms (0 = Redis TIME); those of every grant (lib/grant); amounts (count, then limit and units, 1 to
--        2^53 - 1); levels (lib/terms, exactly one).
-- Returns GRANTED, now, swept, granted amounts by limit, state; CONFLICT, now, 0, version as it is; OVERFLOW, now, 0,
--        limit; REPLAYED, now, 0 and one of these without its now and swept; KEY_REUSED, now, 0; STALE_PERIOD, now, 0;
--        STALE_ANCHOR, now, 0 and more (lib/level); STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: the end of no period moves; what has rolled over is written in the same step; exactly one event, unless
--        nothing changed and there is no key.
-- Cost   O(log live + lapsed + limits), one trip.
-- Source product laws 16, 19-21, 23.

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
local call = grant.read(reader, 'purchase')
local amounts = {}
for _ = 1, reader.integer('limits to top up', 1, 64) do
  local name = reader.text('limit to top up')
  amounts[name] = reader.integer('amount of ' .. name, 1, args.MAX)
end
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local now, ended = grant.begin(call, KEYS, levels, now_ms)
if not now then
  return ended
end
local it = levels[1]
local limits = grant.limits_of(it, amounts)
local changes = grant.changes_of(it, limits, now)
local refusal = grant.conflict(call, it)
for _, limit in ipairs(limits) do
  if not refusal and kinds[limit.kind].topup_overflows(it.records[limit.name], amounts[limit.name]) then
    refusal = {'OVERFLOW', limit.name}
  end
end

-- Writes begin here.
if refusal then
  return grant.save_refusal(call, KEYS, refusal, now)
end
local granted = {}
local changed = false
for n, limit in ipairs(limits) do
  local units = kinds[limit.kind].topup(limit, it.records[limit.name], amounts[limit.name], now)
  granted[limit.name] = units
  changes[n].granted = units
  changed = changed or units > 0
end
if changed then
  level.save_granted(it, now)
end
local body = reply.add_state(reply.add_amounts({'GRANTED'}, granted), levels, now)
return grant.save(call, KEYS, it, changes, changed, body, now)
