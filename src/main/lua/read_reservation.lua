-- Reads one reservation.
--
-- KEYS   1 reservation record; 2 the state of the subject on the resource, for its last instant.
-- ARGV   now_ms (0 = Redis TIME); subject; resource.
-- Returns FOUND, now, 0, state ('held', 'settled', 'released' or 'lapsed'), taken_at, expires_at, amounts as reserved,
--        charged amounts (none unless settled); NOT_FOUND, now, 0.
-- Invariants: writes nothing.
-- Cost   O(1), one trip.
-- Source product laws 9, 31.

--- @include lib/args
--- @include lib/clock
--- @include lib/period_quota
--- @include lib/level
--- @include lib/emergencies
--- @include lib/reply
--- @include lib/idempotency
--- @include lib/reservation

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local subject = reader.text('subject')
local resource = reader.text('resource')
reader.finish()

local now = math.max(clock.read(now_ms), tonumber(redis.call('HGET', KEYS[2], 't') or 0))
local r = reservation.find(KEYS[1], subject, resource, now)
if not r then
  return {'NOT_FOUND', now, 0}
end
local out = {'FOUND', now, 0, reservation.state_at(r, now), r.taken_at, r.expires_at}
reply.add_amounts(out, r.amounts)
return reply.add_amounts(out, r.outcome and r.outcome.charged or {})
