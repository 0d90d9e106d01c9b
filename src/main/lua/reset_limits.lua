-- Starts limits anew with their boundaries where they are.
--
-- KEYS   as of every grant (lib/grant).
-- ARGV   now_ms (0 = Redis TIME); those of every grant (lib/grant); limits to reset (count, then names); levels
--        (lib/terms, exactly one).
-- Returns RESET, now, swept, changed (0 = there was nothing to reset), limits (count), of each its name and 0, or 1 and
--        the period that ended (lib/reply), state; CONFLICT, now, 0, version as it is; REPLAYED, now, 0 and one of
--        these without its now and swept; KEY_REUSED, now, 0; STALE_PERIOD, now, 0; STALE_ANCHOR, now, 0 and more
--        (lib/level); STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: live holds are settled into what they were taken in; usage statistics stay; exactly one event, unless
--        nothing changed and there is no key.
-- Cost   O(log live + lapsed + limits), one trip.
-- Source product laws 18-21.

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
local call = grant.read(reader, 'keep_anchor')
local named = {}
for _ = 1, reader.integer('limits to reset', 0, 64) do
  named[reader.text('limit to reset')] = true
end
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local now, ended = grant.begin(call, KEYS, levels, now_ms)
if not now then
  return ended
end
local it = levels[1]
local limits = grant.limits_of(it, named)
local changes = grant.changes_of(it, limits, now)
local refusal = grant.conflict(call, it)

-- Writes begin here.
if refusal then
  return grant.save_refusal(call, KEYS, refusal, now)
end
local changed = false
local resets = {}
for n, limit in ipairs(limits) do
  local reset, closed = false, nil
  if it.exists then
    reset, closed = grant.reset(it, limit, now)
  end
  resets[n] = {name = limit.name, closed = closed}
  changed = changed or reset
end
if changed then
  level.save_granted(it, now)
end
local body = reply.add_state(reply.add_resets({'RESET', changed and 1 or 0}, resets), levels, now)
return grant.save(call, KEYS, it, changes, changed, body, now)
