-- The token bucket: holds tokens up to its capacity and refills all the time, `refill` tokens in `interval` ms.
--
-- A record is {level, frac, stamp, capacity, refill, interval, era}: at the instant `stamp` there were level +
-- frac/interval tokens; less than 0 is debt. `era` counts resets: what was taken in an earlier one has been given back.
-- `used`, not stored, is what the capacity lacks of whole tokens. No record is a full bucket. What a reservation took
-- is not in the lease sets: a lapse gives nothing back.
--
-- ARGV of a limit: refill, interval in ms; its limit is the capacity.
local token_bucket = {}

token_bucket.FIELD = 'B:'

-- The last instant that is told, the end of the year 9999.
local LAST_INSTANT = 253402300799999

function token_bucket.encode(record)
  return string.format('%.0f %.0f %.0f %.0f %.0f %.0f %.0f', record.level, record.frac, record.stamp,
    record.capacity, record.refill, record.interval, record.era)
end

local function measure(record)
  record.used = record.capacity - record.level
  record.limit = record.capacity
  return record
end

function token_bucket.decode(text)
  local level, frac, stamp, capacity, refill, interval, era =
    string.match(text, '^(%-?%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
  if not level then
    error('CORRUPT bucket: ' .. text, 0)
  end
  return measure({
    level = tonumber(level),
    frac = tonumber(frac),
    stamp = tonumber(stamp),
    capacity = tonumber(capacity),
    refill = tonumber(refill),
    interval = tonumber(interval),
    era = tonumber(era),
    held = 0,
    topup = 0,
  })
end

function token_bucket.read_terms(reader, limit)
  if not limit.limit then
    error('ARGUMENT limit of a token bucket is missing', 0)
  end
  limit.refill = reader.integer('refill', 1, args.MAX)
  limit.interval = reader.integer('interval', 1000, args.LONGEST_MS)
end

-- Whole tokens and the remainder that drip in `elapsed` ms, at most one interval, on top of the record's remainder.
local function dripped(record, elapsed)
  local per_unit = exact.quotient(record.refill, record.interval)
  local whole, remainder = exact.muldiv(math.fmod(record.refill, record.interval), elapsed, record.interval)
  remainder = remainder + record.frac
  local carried = exact.quotient(remainder, record.interval)
  return per_unit * elapsed + whole + carried, remainder - carried * record.interval
end

local function is_full(record)
  return record.level >= record.capacity
end

local function fill(record)
  record.level = record.capacity
  record.frac = 0
end

-- Lets drip in what is due at `now`.
local function advance(record, now)
  local elapsed = math.max(0, now - record.stamp)
  record.stamp = math.max(record.stamp, now)
  local intervals = exact.quotient(elapsed, record.interval)
  if is_full(record) or intervals * record.refill >= record.capacity - record.level then
    fill(record)
    return measure(record)
  end
  record.level = record.level + intervals * record.refill
  local tokens, remainder = dripped(record, elapsed - intervals * record.interval)
  if tokens >= record.capacity - record.level then
    fill(record)
  else
    record.level = record.level + tokens
    record.frac = remainder
  end
  return measure(record)
end

-- The record at `now`, by the capacity and the rate of today, also for the time before.
function token_bucket.project(limit, stored, now)
  local was = stored or {level = limit.limit, frac = 0, stamp = now, interval = limit.interval, era = 0}
  local record = {
    level = math.max(math.min(was.level, limit.limit), limit.limit - args.MAX),
    frac = exact.muldiv(limit.interval, was.frac, was.interval),
    stamp = was.stamp,
    capacity = limit.limit,
    refill = limit.refill,
    interval = limit.interval,
    era = was.era,
    held = 0,
    topup = 0,
  }
  return advance(record, now), 0
end

function token_bucket.is_begun()
  return true
end

-- Puts in `amount`, or takes it out when it is less than 0; never above the capacity.
local function add(record, amount)
  record.level = record.level + amount
  if is_full(record) then
    fill(record)
  end
  measure(record)
end

-- What a reservation names as the place that it took from.
local function ref_of(record)
  return 'b' .. args.text_of(record.era)
end

function token_bucket.take(limit, record, meter, amount)
  add(record, -amount)
  return ref_of(record)
end

function token_bucket.is_leased()
  return false
end

function token_bucket.spend(limit, record, amount)
  add(record, -amount)
end

-- What a settlement takes out, less than 0 = puts in: nothing that a reset has put in already.
local function due(record, hold, amount, before)
  if before == 'released' then
    return amount
  end
  local more = amount - hold.amount
  return hold.ref == ref_of(record) and more or math.max(0, more)
end

function token_bucket.overflows(record, hold, amount, before, now)
  return advance(record, now).used + due(record, hold, amount, before) > args.MAX
end

function token_bucket.settle(record, hold, amount, before, now)
  add(advance(record, now), -due(record, hold, amount, before))
end

function token_bucket.release(record, hold, now)
  add(advance(record, now), hold.ref == ref_of(record) and hold.amount or 0)
end

function token_bucket.exceeds(limit, record, amount)
  return amount > record.capacity
end

-- When there are `tokens` more than now, if nobody else acts.
local function instant_of(record, tokens, now)
  local intervals = exact.quotient(tokens - 1, record.refill)
  local rest = tokens - intervals * record.refill
  local elapsed = math.max(0, math.floor((rest * record.interval - record.frac) / record.refill) - 2)
  while dripped(record, elapsed) < rest do
    elapsed = elapsed + 1
  end
  return math.min(now + intervals * record.interval + elapsed, LAST_INSTANT)
end

function token_bucket.fits(limit, record, amount, now)
  return {from = instant_of(record, amount - record.level, now), estimated = false}
end

-- When it is full again, if nobody acts.
function token_bucket.reset_at(record, now)
  return is_full(record) and now or instant_of(record, record.capacity - record.level, now)
end

-- A top-up brings no sum above the greatest: it is no more than there is room.
function token_bucket.topup_overflows()
  return false
end

-- Fills in `amount` as far as there is room; returns how much it took.
function token_bucket.topup(limit, record, amount)
  local granted = math.min(amount, record.capacity - record.level)
  add(record, granted)
  return granted
end

-- A reset makes it full, its debt is gone.
function token_bucket.reset(limit, record)
  record.era = record.era + 1
  fill(record)
  return measure(record)
end
