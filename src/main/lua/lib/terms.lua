-- The terms of a call: per level what was decided in Java, read from ARGV. A level is a subject or one of its parents.
--
-- ARGV   plans (generation of the plans that the call was decided with, 0 = it does not matter); levels (count).
-- ARGV of a level: subject, record_version (0 or less = unregistered, '*' = any), incarnation, resource,
-- max_holds, history_kept, limits (count),
-- then of each limit: kind, name, meter, limit ('' = never refuses), label (fingerprint, unit and zone of the
-- schedule), and the arguments of its kind (see the fragment of the kind).
-- KEYS of a level, six: subject record, state, leases, history, resources in use, usage.
local terms = {}

terms.KEYS_OF_LEVEL = 6

function terms.read(reader, keys, first_key)
  local levels = {}
  local plans = reader.integer('plans', 0, args.MAX)
  for i = 1, reader.integer('levels', 1, 3) do
    local base = first_key + (i - 1) * terms.KEYS_OF_LEVEL
    local level = {
      keys = {
        record = keys[base],
        state = keys[base + 1],
        leases = keys[base + 2],
        history = keys[base + 3],
        resources = keys[base + 4],
        usage = keys[base + 5],
      },
      plans = plans,
      subject = reader.text('subject'),
      record_version = reader.text('record_version'),
      incarnation = reader.text('incarnation'),
      resource = reader.text('resource'),
      max_holds = reader.integer('max_holds', 1, 1000000),
      history_kept = reader.integer('history_kept', 1, 1000000),
      limits = {},
    }
    level.expiring = level.record_version == '0' or string.sub(level.record_version, 1, 1) == '-'
    for n = 1, reader.integer('limits', 0, 64) do
      local limit = {
        kind = reader.text('kind'),
        name = reader.text('limit name'),
        meter = reader.text('meter'),
        limit = reader.optional_amount('limit'),
        label = reader.text('label'),
      }
      local kind = kinds[limit.kind]
      if not kind then
        error('ARGUMENT kind ' .. limit.kind .. ' is unknown', 0)
      end
      kind.read_terms(reader, limit)
      level.limits[n] = limit
    end
    levels[i] = level
  end
  return levels
end

-- The levels of a call as one text: who was asked, with incarnations. A reservation keeps it, so that it is settled
-- where it was taken.
function terms.chain(levels)
  local parts = {}
  for i, level in ipairs(levels) do
    parts[i] = level.incarnation .. ':' .. #level.subject .. ':' .. level.subject
  end
  return table.concat(parts, ',')
end
