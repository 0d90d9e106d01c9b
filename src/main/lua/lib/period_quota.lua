-- The period quota: starts full, refills whole at the boundary, never drips.
--
-- A record is one period of one limit: {seq, ordinal, starts, ends, used, held, topup, emergencies, open, limit,
-- label}. `open` counts its reservations not settled yet, `limit` is the plan's limit at the last write (nil = none).
-- A session that is not running has starts = ends = 0, and the end of the last one as its ordinal.
--
-- ARGV of a calendar, cron or fixed limit ('period'): start, end and ordinal of two consecutive periods.
-- ARGV of a session limit ('session'): its length in ms.
local period_quota = {}

local PATTERN = '^(%-?%d+) (%-?%d+) (%-?%d+) (%-?%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%S+) (.*)$'
local FORMAT = '%.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %s %s'

function period_quota.encode(record)
  return string.format(FORMAT, record.seq, record.ordinal, record.starts, record.ends, record.used, record.held,
    record.topup, record.emergencies, record.open, record.limit and string.format('%.0f', record.limit) or '-',
    record.label)
end

function period_quota.decode(text)
  local seq, ordinal, starts, ends, used, held, topup, emergencies, open, limit, label = string.match(text, PATTERN)
  if not seq then
    error('CORRUPT record: ' .. text, 0)
  end
  return {
    seq = tonumber(seq),
    ordinal = tonumber(ordinal),
    starts = tonumber(starts),
    ends = tonumber(ends),
    used = tonumber(used),
    held = tonumber(held),
    topup = tonumber(topup),
    emergencies = tonumber(emergencies),
    open = tonumber(open),
    limit = tonumber(limit),
    label = label,
  }
end

function period_quota.read_terms(reader, limit)
  if limit.kind == 'session' then
    limit.length = reader.integer('session length', 1000, args.MAX)
    return
  end
  limit.periods = {}
  for n = 1, 2 do
    limit.periods[n] = {
      starts = reader.instant('period start'),
      ends = reader.instant('period end'),
      ordinal = reader.integer('period ordinal', -args.MAX, args.MAX),
    }
  end
end

local function fresh(limit, seq, ordinal, starts, ends)
  return {
    seq = seq,
    ordinal = ordinal,
    starts = starts,
    ends = ends,
    used = 0,
    held = 0,
    topup = 0,
    emergencies = 0,
    open = 0,
    limit = limit.limit,
    label = limit.label,
  }
end

-- Whether two labels, `fingerprint,unit,zone`, are of schedules that cut time alike.
local function same_schedule(a, b)
  return string.sub(a, 1, 8) == string.sub(b, 1, 8)
end

local function ended_at(stored)
  return stored.ends > 0 and stored.ends or stored.ordinal
end

local function current_period(limit, now)
  for _, period in ipairs(limit.periods) do
    if period.starts <= now and now < period.ends then
      return period
    end
  end
  return nil
end

-- The record as it is at `now`, from the stored one (nil = never used), and the boundaries passed since.
-- While a stored period has not ended it is trusted, whatever the schedule of today. Returns nil when the limit's
-- terms do not reach `now` (STALE_PERIOD). The stored record is not changed when another is returned.
function period_quota.project(limit, stored, now)
  if stored and now < stored.ends then
    stored.limit = limit.limit
    return stored, 0
  end
  if limit.kind == 'session' then
    if not stored then
      return fresh(limit, 0, 0, 0, 0), 0
    end
    return fresh(limit, stored.seq, ended_at(stored), 0, 0), stored.ends > 0 and 1 or 0
  end
  local period = current_period(limit, now)
  if not period then
    return nil
  end
  if not stored then
    return fresh(limit, period.ordinal, period.ordinal, period.starts, period.ends), 0
  end
  local passed = 1
  if same_schedule(stored.label, limit.label) then
    passed = math.max(1, period.ordinal - stored.ordinal)
  end
  local starts = math.max(period.starts, ended_at(stored))
  return fresh(limit, stored.seq + passed, period.ordinal, starts, period.ends), passed
end

-- A granted use opens the session that is not running.
function period_quota.open(limit, record, now)
  if record.ends == 0 then
    record.seq = record.seq + 1
    record.ordinal = record.seq
    record.starts = now
    record.ends = now + limit.length
    record.label = limit.label
  end
end

-- Units that a call may still take; nil = without bound.
function period_quota.free(record)
  if not record.limit then
    return nil
  end
  return record.limit + record.topup - record.used - record.held
end

-- Whether `amount` fits neither now after every lapse nor in a fresh period.
function period_quota.exceeds(record, amount)
  return record.limit ~= nil and amount > record.limit
    and amount > math.max(0, record.limit + record.topup - record.used)
end

-- When `amount`, refused now, fits if nobody else acts: {from, until_, estimated}. `until_` is the instant from which
-- it never will again (nil = none). Returns nil when it never fits. `leases` are live ones of the level, soonest end
-- first, each {ends, amounts = {['name:seq'] = amount}}; `last` is the last end of all when `leases` are not all.
function period_quota.fits(limit, record, amount, leases, last)
  local missing = amount - period_quota.free(record)
  local refills = amount <= record.limit
  local key = limit.name .. ':' .. args.text_of(record.seq)
  local freed = 0
  for _, lease in ipairs(leases) do
    if lease.ends >= record.ends then
      break
    end
    freed = freed + (lease.amounts[key] or 0)
    if freed >= missing then
      return {from = lease.ends, until_ = not refills and record.ends or nil, estimated = false}
    end
  end
  if refills then
    return {from = record.ends, estimated = last ~= nil and leases[#leases].ends < record.ends}
  end
  if last and last < record.ends then
    return {from = last, until_ = record.ends, estimated = true}
  end
  return nil
end
