-- Starts limits anew with boundaries that are counted from now.
--
-- KEYS   as of every grant (lib/grant).
-- ARGV   now_ms (0 = Redis TIME); those of every grant (lib/grant); anchor (instant, at most two seconds before now);
--        limits to restart (count), of each name, end and ordinal of the period around the anchor, max (0 = any number
--        of restarts, to 10000) and per_days (1 to 366); levels (lib/terms, exactly one).
-- Returns RESET, now, swept, changed (0 = there was nothing to reset), limits (count), of each its name and 0, or 1 and
--        the period that ended (lib/reply), state; CONFLICT, now, 0, version as it is; RESTART_CAPPED, now, 0, limit,
--        next_available_at; REPLAYED, now, 0 and one of these without its now and swept; KEY_REUSED, now, 0;
--        STALE_PERIOD, now, 0; STALE_ANCHOR, now, 0 and more (lib/level); STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: live holds are settled into what they were taken in; usage statistics stay; exactly one event, unless
--        nothing changed and there is no key.
-- Cost   O(log live + lapsed + limits + restarts remembered), one trip.
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

local DAY_MS = 86400000
local NEAR_MS = 2000

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local call = grant.read(reader, 'restart')
local anchor = reader.instant('anchor')
local restarts = {}
for _ = 1, reader.integer('limits to restart', 0, 64) do
  restarts[reader.text('limit to restart')] = {
    anchor = anchor,
    ends = reader.instant('period end'),
    ordinal = reader.integer('period ordinal', -args.MAX, args.MAX),
    max = reader.integer('max', 0, 10000),
    per_ms = reader.integer('per_days', 1, 366) * DAY_MS,
  }
end
local levels = terms.read(reader, KEYS, 3)
reader.finish()

local now, ended = grant.begin(call, KEYS, levels, now_ms)
if not now then
  return ended
end
if now < anchor or now >= anchor + NEAR_MS then
  return {'STALE_PERIOD', now, 0}
end
local it = levels[1]
local limits = grant.limits_of(it, restarts)
local changes = grant.changes_of(it, limits, now)
local refusal = grant.conflict(call, it)
for _, limit in ipairs(limits) do
  local restart = restarts[limit.name]
  restart.past = grant.restarts_of(it, limit.name)
  local past = restart.past[restart.max]
  local free_at = past and past + restart.per_ms or now
  if free_at > now and (not refusal or refusal[1] == 'RESTART_CAPPED' and refusal[3] < free_at) then
    refusal = {'RESTART_CAPPED', limit.name, free_at}
  end
end

-- Writes begin here.
if refusal then
  return grant.save_refusal(call, KEYS, refusal, now)
end
local changed = it.exists and #limits > 0
local resets = {}
for n, limit in ipairs(limits) do
  resets[n] = {name = limit.name}
  if changed then
    resets[n].closed = grant.restart(it, limit, restarts[limit.name], now)
  end
end
if changed then
  level.save_granted(it, now)
end
local body = reply.add_state(reply.add_resets({'RESET', changed and 1 or 0}, resets), levels, now)
return grant.save(call, KEYS, it, changes, changed, body, now)
