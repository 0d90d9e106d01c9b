-- The period quota: starts full, refills whole at the boundary, never drips.
--
-- A record is one period of one limit: {seq, ordinal, starts, ends, used, held, topup, emergencies, open, anchor,
-- nominal, group, limit, label}. `open` counts its reservations not settled yet, `limit` is the limit in force at the
-- last write (nil = none). `anchor` is the instant of the restart that its schedule is anchored at, 0 = the plan's.
-- `nominal` is the full length in ms of a period that is shorter because the schedule has changed, and its limit with
-- it; 0 = it is whole. `group` is the seq of its first record since the last boundary: statistics are kept by it, so
-- that no reset touches them.
-- A session that is not running has starts = ends = 0, and the end of the last one as its ordinal.
--
-- ARGV of a limit: deferrals (count; changes of the limit that wait for the end of the period they came in, the
-- earliest first), then of each the instant and the limit before it ('' = none); emergency top-ups (how many the plan
-- allows), then if there are any: days (count; two consecutive natural days of the subject's zone that they are counted
-- by, none = by the period), of each start and end; then of a calendar, cron or fixed limit ('period') start, end and
-- ordinal of two consecutive periods and the anchor that they were computed by (instant, 0 = the plan's), of a session
-- limit ('session') its length in ms.
local period_quota = {}

period_quota.FIELD = 'L:'

local PATTERN = '^(%-?%d+) (%-?%d+) (%-?%d+) (%-?%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%-?%d+) (%S+) (.*)$'
local FORMAT = '%.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %s %s'

function period_quota.encode(record)
  return string.format(FORMAT, record.seq, record.ordinal, record.starts, record.ends, record.used, record.held,
    record.topup, record.emergencies, record.open, record.anchor, record.nominal, record.group,
    record.limit and string.format('%.0f', record.limit) or '-', record.label)
end

function period_quota.decode(text)
  local seq, ordinal, starts, ends, used, held, topup, emergencies, open, anchor, nominal, group, limit, label =
    string.match(text, PATTERN)
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
    anchor = tonumber(anchor),
    nominal = tonumber(nominal),
    group = tonumber(group),
    limit = tonumber(limit),
    label = label,
  }
end

function period_quota.read_terms(reader, limit)
  limit.deferrals = {}
  for n = 1, reader.integer('deferrals', 0, 64) do
    limit.deferrals[n] = {at = reader.instant('deferral'), before = reader.optional_amount('limit before')}
  end
  limit.emergencies = reader.integer('emergency top-ups', 0, 10000)
  limit.days = {}
  for n = 1, limit.emergencies > 0 and reader.integer('days', 0, 2) or 0 do
    limit.days[n] = {starts = reader.instant('day start'), ends = reader.instant('day end')}
  end
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
  limit.anchor = reader.instant('anchor')
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
    anchor = limit.anchor or 0,
    nominal = 0,
    group = seq,
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

-- The one of these periods that contains `now`, or nil.
local function containing(periods, now)
  for _, period in ipairs(periods) do
    if period.starts <= now and now < period.ends then
      return period
    end
  end
  return nil
end

-- Whether a period was opened by a use or a restart, and not by its schedule.
local function is_called_for(limit, record)
  return limit.kind == 'session' or record.group ~= record.seq
end

-- The limit of a record: what was in force before the first change that waits for the end of its period, else the
-- plan's; of a shortened period its share, rounded down.
local function limit_of(limit, record)
  local amount = limit.limit
  for _, deferral in ipairs(limit.deferrals) do
    if record.starts <= deferral.at and deferral.at < record.ends then
      -- What was opened in the very millisecond of the change goes on with what it was opened with, before or after it.
      if record.starts == deferral.at and is_called_for(limit, record) then
        return record.limit
      end
      amount = deferral.before
      break
    end
  end
  if record.nominal == 0 or not amount then
    return amount
  end
  return (exact.muldiv(amount, record.ends - record.starts, record.nominal))
end

local function in_force(limit, record)
  record.limit = limit_of(limit, record)
  return record
end

-- The first record under another schedule: from the end of what was before, and with its share of the limit.
local function shortened(limit, record, period)
  if record.starts > period.starts then
    record.nominal = period.ends - period.starts
  end
  return in_force(limit, record)
end

local function project(limit, stored, now)
  if stored and now < stored.ends then
    return in_force(limit, stored), 0
  end
  if limit.kind == 'session' then
    if not stored then
      return fresh(limit, 0, 0, 0, 0), 0
    end
    return fresh(limit, stored.seq, ended_at(stored), 0, 0), stored.ends > 0 and 1 or 0, stored.ends
  end
  local anchor = stored and same_schedule(stored.label, limit.label) and stored.anchor or 0
  if limit.anchor ~= anchor then
    return nil, anchor
  end
  local period = containing(limit.periods, now)
  if not period then
    return nil
  end
  if not stored then
    return in_force(limit, fresh(limit, period.ordinal, period.ordinal, period.starts, period.ends)), 0
  end
  local starts = math.max(period.starts, ended_at(stored))
  if same_schedule(stored.label, limit.label) then
    local passed = math.max(1, period.ordinal - stored.ordinal)
    return in_force(limit, fresh(limit, stored.seq + passed, period.ordinal, starts, period.ends)), passed, starts
  end
  return shortened(limit, fresh(limit, stored.seq + 1, period.ordinal, starts, period.ends), period), 1, starts
end

-- The record as it is at `now`, from the stored one (nil = never used), the boundaries passed since and the last one.
-- While a stored period has not ended it is trusted, whatever the schedule of today. Returns nil when the limit's
-- terms do not reach `now`, nil and the anchor when they were computed by another one. The stored record is not changed
-- when another is returned. Sets limit.today where emergency top-ups are counted by the day.
function period_quota.project(limit, stored, now)
  local record, passed, since = project(limit, stored, now)
  limit.today = containing(limit.days, now)
  if record and #limit.days > 0 and not limit.today then
    return nil
  end
  return record, passed, since
end

-- A session that is not running is not written before it is opened.
function period_quota.is_begun(record)
  return record.ends > 0
end

-- A granted use opens the session that is not running.
local function open(limit, record, now)
  if record.ends == 0 then
    record.seq = record.seq + 1
    record.ordinal = record.seq
    record.group = record.seq
    record.starts = now
    record.ends = now + limit.length
    record.label = limit.label
  end
end

function period_quota.take(limit, record, meter, amount, now)
  open(limit, record, now)
  record.held = record.held + amount
  record.open = record.open + 1
  return args.text_of(record.seq)
end

function period_quota.spend(limit, record, amount, now)
  open(limit, record, now)
  record.used = record.used + amount
end

-- Every hold counts only while it is live.
function period_quota.is_leased()
  return true
end

function period_quota.lapse(record, hold)
  record.held = record.held - hold.amount
end

function period_quota.release(record, hold)
  record.held = record.held - hold.amount
end

function period_quota.overflows(record, hold, amount)
  return record.used + amount > args.MAX
end

-- `before` is what the reservation was: 'held', 'lapsed' or 'released'.
function period_quota.settle(record, hold, amount, before)
  if before == 'held' then
    record.held = record.held - hold.amount
  end
  record.used = record.used + amount
  record.open = record.open - 1
end

-- Whether `amount` fits neither now after every lapse nor in a fresh period.
function period_quota.exceeds(limit, record, amount)
  return limit.limit ~= nil and amount > limit.limit
    and amount > math.max(0, exact.capped_sum(record.limit, record.topup) - record.used)
end

-- Start and end of the shortened period that comes after the current one, when `amount` is more than its share.
local function shortfall_of(limit, record, amount)
  if limit.kind == 'session' or not limit.limit or same_schedule(record.label, limit.label) then
    return nil
  end
  for _, period in ipairs(limit.periods) do
    if period.starts < record.ends and record.ends < period.ends
      and amount > exact.muldiv(limit.limit, period.ends - record.ends, period.ends - period.starts) then
      return record.ends, period.ends
    end
  end
end

-- When the plan's whole limit is there: at the end of the current period, or of the shortened one that comes after it.
local function refill_of(limit, record, amount)
  local _, ends = shortfall_of(limit, record, amount)
  return ends or record.ends
end

-- The first instant from `from` on at which no shortened period runs that is too small for `amount`.
function period_quota.skip(limit, record, amount, from)
  local starts, ends = shortfall_of(limit, record, amount)
  return starts and starts <= from and from < ends and ends or from
end

function period_quota.reset_at(record)
  return record.ends
end

-- Whether a top-up of `amount` brings a sum above the greatest.
function period_quota.topup_overflows(record, amount)
  return (record.limit or record.used + record.held) + record.topup + amount > args.MAX
end

-- Adds `amount` to the current period, opening a session that is not running; returns it.
function period_quota.topup(limit, record, amount, now)
  open(limit, record, now)
  record.topup = record.topup + amount
  return amount
end

-- Ends a period at `now`; it lasts a millisecond at least.
local function finish(record, now)
  record.ends = math.max(now, record.starts + 1)
end

-- A reset that keeps the anchor: the record of a new seq, of which nothing is used or held; of a session one that is
-- not running. The record that it ends is given its end.
function period_quota.reset(limit, record, now)
  if record.ends == 0 then
    return record
  end
  local ends = record.ends
  finish(record, now)
  if limit.kind == 'session' then
    return fresh(limit, record.seq, record.ends, 0, 0)
  end
  -- It keeps its start, by which its share and the changes that wait for its end are told.
  local new = fresh(limit, record.seq + 1, record.ordinal, record.starts, ends)
  for _, name in ipairs({'label', 'anchor', 'nominal', 'group', 'limit', 'emergencies'}) do
    new[name] = record[name]
  end
  return new
end

-- A restart: the record of a new seq that lasts from now to the end of the period around `restart.anchor`, with the
-- plan's whole limit. The record that it ends is given its end.
function period_quota.restart(limit, record, restart, now)
  local new = fresh(limit, record.seq + 1, restart.ordinal, now, restart.ends)
  new.anchor = restart.anchor
  new.group = record.group
  new.emergencies = record.emergencies
  finish(record, now)
  return new
end

-- When `amount`, refused now, fits if nobody else acts: {from, until_, estimated}. `until_` is the instant from which
-- it never will again (nil = none). Returns nil when it never fits. `leases` are live ones of the level, soonest end
-- first, each {ends, amounts = {['name:ref'] = amount}}; `last` is the last end of all when `leases` are not all.
function period_quota.fits(limit, record, amount, now, leases, last)
  local missing = amount - (exact.capped_sum(record.limit, record.topup) - record.used - record.held)
  local refills = not limit.limit or amount <= limit.limit
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
    return {from = refill_of(limit, record, amount), estimated = last ~= nil and leases[#leases].ends < record.ends}
  end
  if last and last < record.ends then
    return {from = last, until_ = record.ends, estimated = true}
  end
  return nil
end
