-- Reads what a caller would be allowed right now, at every level.
--
-- KEYS   six per level (lib/terms).
-- ARGV   now_ms (0 = Redis TIME); levels (lib/terms).
-- Returns STATE, now, 0, state, usage (lib/usage); STALE_PERIOD, now, 0; STALE_ANCHOR, now, 0 and more (lib/level);
--        STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: writes nothing, not even a roll-over; shows the version that a grant would have to name.
-- Cost   O(log live + lapsed + limits), one trip.
-- Source product laws 5, 30, 31.

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

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local levels = terms.read(reader, KEYS, 1)
reader.finish()

local now, stale = admission.prepare(levels, now_ms)
if not now then
  return stale
end
return usage.add_state(reply.add_state({'STATE', now, 0}, levels, now), levels, now)
