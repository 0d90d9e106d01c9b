-- Reads what was granted to a subject on one resource, in all its lives, the newest first.
--
-- KEYS   1 audit trail.
-- ARGV   now_ms (0 = Redis TIME); audit_kept_ms; after (id of the event to go on after, '' = with the newest); count
--        (1 to 1000); resource; operation ('' = any).
-- Returns AUDIT, now, 0, next (where to go on, '' = these were the last), events (count), each as lib/audit adds it.
-- Invariants: writes nothing; looks through 1000 events at most, so that there may be more than it found.
-- Cost   O(events looked through), one trip.
-- Source product law 21.

--- @include lib/args
--- @include lib/clock
--- @include lib/exact
--- @include lib/period_quota
--- @include lib/token_bucket
--- @include lib/sliding_budget
--- @include lib/kinds
--- @include lib/audit

local LOOKED_THROUGH = 1000

local reader = args.reader(ARGV)
local now_ms = reader.integer('now_ms', 0, 253402300799999)
local kept_ms = reader.integer('audit_kept_ms', 86400000, args.MAX)
local after = reader.text('after')
local count = reader.integer('count', 1, 1000)
local resource = reader.text('resource')
local operation = reader.text('operation')
reader.finish()

local now = clock.read(now_ms)
local newest = after == '' and '+' or '(' .. after
local oldest = args.text_of(math.max(0, now - kept_ms))
local found = redis.call('XREVRANGE', KEYS[1], newest, oldest, 'COUNT', LOOKED_THROUGH)
local out = {'AUDIT', now, 0, '', 0}
local last, last_found
for _, entry in ipairs(found) do
  local event = audit.decode(entry)
  if event.resource == resource and (operation == '' or event.operation == operation) then
    if out[5] == count then
      out[4] = last_found
      return out
    end
    audit.add_event(out, event)
    out[5] = out[5] + 1
    last_found = event.id
  end
  last = event.id
end
if #found == LOOKED_THROUGH then
  out[4] = last
end
return out
