-- Reads the current and the closed periods of every limit of one level.
--
-- KEYS   six of one level (lib/terms).
-- ARGV   now_ms (0 = Redis TIME); levels (lib/terms, exactly one).
-- Returns PERIODS, now, 0, state, then closed periods (count), of each its limit's name and itself (lib/reply), then of
--        each limit the anchor of its current period (0 = the plan's); STALE_PERIOD, now, 0; STALE_ANCHOR, now, 0 and
--        more (lib/level); STALE_CONFIG, now, 0, plans_seen (lib/level).
-- Invariants: writes nothing; a stored period that has ended is shown as closed.
-- Cost   O(periods kept), one trip.
-- Source product laws 14, 31.

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

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local levels = terms.read(reader, KEYS, 1)
reader.finish()

local now, stale = admission.prepare(levels, now_ms)
if not now then
  return stale
end
local it = levels[1]
local out = reply.add_state({'PERIODS', now, 0}, levels, now)
local count_at = #out + 1
out[count_at] = 0

local function add(name, record)
  out[#out + 1] = name
  reply.add_period(out, record)
  out[count_at] = out[count_at] + 1
end

local stored = redis.call('HGETALL', it.keys.history)
for n = 1, #stored, 2 do
  local name = string.match(stored[n], '^(.*):%-?%d+$')
  add(name, it.closed[stored[n]] or period_quota.decode(stored[n + 1]))
end
for _, limit in ipairs(it.limits) do
  local record = kinds[limit.kind] == period_quota and it.stored[period_quota.FIELD .. limit.name]
  if record and record.ends > 0 and record.ends <= now then
    add(limit.name, record)
  end
end
for _, limit in ipairs(it.limits) do
  out[#out + 1] = it.records[limit.name].anchor or 0
end
return out
