-- Reads who changed what in the configuration of a plan or of a subject, the newest first.
--
-- KEYS   1 audit trail (lib/configuration).
-- ARGV   now_ms (0 = Redis TIME); audit_kept_ms; after (id of the event to go on after, '' = with the newest); count
--        (1 to 1000); name (of the plan or the subject).
-- Returns AUDIT, now, 0, next (where to go on, '' = these were the last), events (count), of each: id, operation, at,
--        by, role, before, version, revision, was_bytes, was, is_bytes, is.
-- Invariants: writes nothing; looks through 1000 events at most, so that there may be more than it found.
-- Cost   O(events looked through), one trip.
-- Source product law 21.

--- @include lib/args
--- @include lib/clock

local LOOKED_THROUGH = 1000
local SHOWN = {'operation', 'at', 'by', 'role', 'before', 'version', 'revision', 'was_bytes', 'was', 'is_bytes', 'is'}

local reader = args.reader(ARGV)
local now = clock.read(reader.integer('now_ms', 0, 253402300799999))
local kept_ms = reader.integer('audit_kept_ms', 86400000, args.MAX)
local after = reader.text('after')
local count = reader.integer('count', 1, 1000)
local name = reader.text('name')
reader.finish()

local newest = after == '' and '+' or '(' .. after
local oldest = args.text_of(math.max(0, now - kept_ms))
local found = redis.call('XREVRANGE', KEYS[1], newest, oldest, 'COUNT', LOOKED_THROUGH)
local out = {'AUDIT', now, 0, '', 0}
local last_shown
for _, entry in ipairs(found) do
  local fields = {}
  for n = 1, #entry[2], 2 do
    fields[entry[2][n]] = entry[2][n + 1]
  end
  if fields.name == name then
    if out[5] == count then
      out[4] = last_shown
      return out
    end
    last_shown = entry[1]
    out[5] = out[5] + 1
    out[#out + 1] = last_shown
    for _, field in ipairs(SHOWN) do
      out[#out + 1] = fields[field]
    end
  end
end
if #found == LOOKED_THROUGH then
  out[4] = found[#found][1]
end
return out
