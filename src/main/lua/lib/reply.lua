-- Replies: flat arrays of integers and strings, without a hole; whole numbers are exact up to 2^53.
local reply = {}

-- How many leases that had lapsed the call swept at its topmost level, which every reservation of the root is at: each
-- is told once, whatever levels it was at and whoever comes upon it.
function reply.swept(levels)
  return levels[#levels].swept
end

-- STATUS, now, swept.
function reply.of(status, now, levels)
  return {status, now, reply.swept(levels)}
end

local function push(out, ...)
  for n = 1, select('#', ...) do
    out[#out + 1] = (select(n, ...))
  end
end

-- Milliseconds until one unit more fits; 0 = now, -1 = never by waiting.
local function wait_for_one(it, limit, record, now)
  local free = kinds.free(record)
  if not free or free >= 1 then
    return 0
  end
  if kinds[limit.kind].exceeds(limit, record, 1) then
    return -1
  end
  local fits = kinds[limit.kind].fits(limit, record, 1, now, level.soonest(it, now))
  return fits and fits.from - now or -1
end

-- The state of every level: its instant, count, then per level subject, version, count of limits, then per limit kind,
-- name, meter, limit ('' = none), label, seq, starts, ends (0, 0 = a session not running), used, held, topup,
-- emergencies, emergencies allowed, prorated (0, 1), wait_ms. A rate has no start, the number of its resets as seq, and
-- as end the instant at which it is whole again. The state names its instant, because a replay tells the first state
-- under a later now.
function reply.add_state(out, levels, now)
  push(out, now, #levels)
  for _, it in ipairs(levels) do
    push(out, it.subject, it.projected_version, #it.limits)
    for _, limit in ipairs(it.limits) do
      local record = it.records[limit.name]
      push(out, limit.kind, limit.name, limit.meter, record.limit and args.text_of(record.limit) or '',
        record.label or limit.label, record.seq or record.era or 0, record.starts or 0,
        kinds[limit.kind].reset_at(record, now), record.used, record.held, record.topup,
        emergencies.count(it, limit, now), limit.emergencies or 0, (record.nominal or 0) > 0 and 1 or 0,
        wait_for_one(it, limit, record, now))
    end
  end
  return out
end

-- A period that has ended: label, seq, starts, ends, limit ('' = none), topup, used, held, anchor (0 = the plan's).
function reply.add_period(out, record)
  push(out, record.label, record.seq, record.starts, record.ends, record.limit and args.text_of(record.limit) or '',
    record.topup, record.used, record.held, record.anchor)
end

-- Limits that were reset, each {name, closed}: count, then name and 0, or 1 and the period that ended.
function reply.add_resets(out, resets)
  push(out, #resets)
  for _, reset in ipairs(resets) do
    push(out, reset.name, reset.closed and 1 or 0)
    if reset.closed then
      reply.add_period(out, reset.closed)
    end
  end
  return out
end

-- The amounts of a table {meter = amount}: count, then meter and amount, sorted by meter.
function reply.add_amounts(out, amounts)
  local meters = {}
  for meter in pairs(amounts) do
    meters[#meters + 1] = meter
  end
  table.sort(meters)
  push(out, #meters)
  for _, meter in ipairs(meters) do
    push(out, meter, amounts[meter])
  end
  return out
end
