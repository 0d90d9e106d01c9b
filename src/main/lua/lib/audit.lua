-- The audit trail of a subject: a stream with one event per grant, bounded by age and by count. It is of the subject
-- and not of one of its lives.
--
-- Fields of an event, in this order: operation, at, by, role, resource, before and version (of the quota), reason and
-- key ('' = none), then `limit` once for each limit: its name, the units granted, and seq, topup, used, held, limit
-- ('-' = none) and instant of the reset (0 = none), before and after.
local audit = {}

local QUOTA = '%.0f %.0f %.0f %.0f %s %.0f'
local QUOTA_PATTERN = '(%-?%d+) (%-?%d+) (%-?%d+) (%-?%d+) (%S+) (%-?%d+)'

-- A limit at one instant, as an event tells it.
function audit.quota_of(limit, record, now)
  return string.format(QUOTA, record.seq or record.era or 0, record.topup, record.used, record.held,
    record.limit and args.text_of(record.limit) or '-', kinds[limit.kind].reset_at(record, now))
end

-- Writes one event; `changes` has {name, granted, before, after} of each limit.
function audit.save(key, event, changes, now)
  local fields = {'operation', event.operation, 'at', args.text_of(now), 'by', event.by, 'role', event.role,
    'resource', event.resource, 'before', args.text_of(event.before), 'version', args.text_of(event.version),
    'reason', event.reason, 'key', event.key}
  for _, change in ipairs(changes) do
    fields[#fields + 1] = 'limit'
    fields[#fields + 1] = string.format('%s %.0f %s %s', change.name, change.granted, change.before, change.after)
  end
  trail.save(key, fields, event.kept, event.kept_ms, now)
end

-- An event as it is read: {id, fields by name, limits}.
function audit.decode(entry)
  local event = {id = entry[1], limits = {}}
  local flat = entry[2]
  for n = 1, #flat, 2 do
    if flat[n] == 'limit' then
      event.limits[#event.limits + 1] = flat[n + 1]
    else
      event[flat[n]] = flat[n + 1]
    end
  end
  return event
end

local function add_quota(out, seq, topup, used, held, limit, ends)
  for _, value in ipairs({seq, limit == '-' and '' or limit, topup, used, held, ends}) do
    out[#out + 1] = value
  end
end

-- Adds an event to a reply: id, operation, at, by, role, resource, before, version, reason, key, limits (count), then
-- of each name, granted, and twice seq, limit ('' = none), topup, used, held, instant of the reset (0 = none).
function audit.add_event(out, event)
  for _, value in ipairs({event.id, event.operation, event.at, event.by, event.role, event.resource, event.before,
    event.version, event.reason, event.key, #event.limits}) do
    out[#out + 1] = value
  end
  for _, text in ipairs(event.limits) do
    local name, granted, before, after =
      string.match(text, '^(%S+) (%d+) (%S+ %S+ %S+ %S+ %S+ %S+) (%S+ %S+ %S+ %S+ %S+ %S+)$')
    if not name then
      error('CORRUPT event: ' .. text, 0)
    end
    out[#out + 1] = name
    out[#out + 1] = granted
    add_quota(out, string.match(before, QUOTA_PATTERN))
    add_quota(out, string.match(after, QUOTA_PATTERN))
  end
end
