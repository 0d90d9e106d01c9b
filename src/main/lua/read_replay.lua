-- Looks up the first reply of a keyed call that can no longer be decided: its subject or plan is gone or disabled.
--
-- KEYS   1 idempotency record.
-- ARGV   now_ms (0 = Redis TIME); fingerprint.
-- Returns REPLAYED, now, 0 and the first reply; KEY_REUSED, now, 0; NOT_FOUND, now, 0.
-- Invariants: writes nothing.
-- Cost   O(1), one trip.
-- Source product law 20.

--- @include lib/args
--- @include lib/clock
--- @include lib/idempotency

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local fingerprint = reader.text('fingerprint')
reader.finish()

local now = clock.read(now_ms)
return idempotency.replay(KEYS[1], fingerprint, now) or {'NOT_FOUND', now, 0}
