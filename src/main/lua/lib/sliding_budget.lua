-- The sliding budget: what was spent in the last `window` ms, kept in `buckets` small sums.
--
-- Time is told in `buckets`-ths of a ms, so that every bucket is `window` of them long, whatever the two are. Usage is
-- the current bucket, the full ones before it, and of the oldest the share that is still in the window, rounded up.
--
-- A record is {era, window, buckets, index, held, sums}: sums[1] is the bucket `index`, sums[n] the one n - 1 before
-- it; `era` counts resets, what was held in an earlier one is held no more. `used`, not stored, is the usage.
-- The meter `requests` is charged when taken and not held.
--
-- ARGV of a limit: window in ms, buckets.
local sliding_budget = {}

sliding_budget.FIELD = 'S:'

function sliding_budget.encode(record)
  local sums = record.sums
  local last = #sums
  while last > 1 and sums[last] == 0 do
    last = last - 1
  end
  local parts = {string.format('%.0f %.0f %.0f %.0f %.0f', record.era, record.window, record.buckets, record.index,
    record.held)}
  for n = 1, last do
    parts[n + 1] = args.text_of(sums[n])
  end
  return table.concat(parts, ' ')
end

function sliding_budget.decode(text)
  local values = {}
  for value in string.gmatch(text, '%S+') do
    values[#values + 1] = tonumber(value)
  end
  if #values < 6 then
    error('CORRUPT sliding budget: ' .. text, 0)
  end
  local record = {era = values[1], window = values[2], buckets = values[3], index = values[4], held = values[5],
    topup = 0, sums = {}}
  for n = 1, record.buckets + 1 do
    record.sums[n] = values[5 + n] or 0
  end
  return record
end

function sliding_budget.read_terms(reader, limit)
  limit.window = reader.integer('window', 1000, args.LONGEST_MS)
  limit.buckets = reader.integer('buckets', 1, 60)
end

-- The bucket of an instant, and how far into it the instant is.
local function bucket_of(record, instant)
  local windows = exact.quotient(instant, record.window)
  local into = (instant - windows * record.window) * record.buckets
  local bucket = exact.quotient(into, record.window)
  return windows * record.buckets + bucket, into - bucket * record.window
end

-- The first instant of a bucket.
local function start_of(record, index)
  local windows = exact.quotient(index, record.buckets)
  return windows * record.window + math.ceil((index - windows * record.buckets) * record.window / record.buckets)
end

-- What is left of a sum of which `left` of `window` is in the window, rounded up.
local function share(sum, left, window)
  local whole, remainder = exact.muldiv(sum, left, window)
  return remainder > 0 and whole + 1 or whole
end

-- Moves on to `now` and sums up.
local function advance(record, now)
  local index, into = bucket_of(record, now)
  local sums, size = record.sums, record.buckets + 1
  local passed = math.max(0, index - record.index)
  if passed > 0 then
    for n = size, 1, -1 do
      sums[n] = n > passed and sums[n - passed] or 0
    end
    record.index = index
  end
  record.into = index < record.index and 0 or into
  local used = share(sums[size], record.window - record.into, record.window)
  for n = 1, size - 1 do
    used = used + sums[n]
  end
  record.used = used
  return record
end

local function empty(era, limit, now)
  local record = {era = era, window = limit.window, buckets = limit.buckets, held = 0, topup = 0, sums = {}}
  for n = 1, limit.buckets + 1 do
    record.sums[n] = 0
  end
  record.index = bucket_of(record, now)
  return record
end

-- The same spend in buckets of another length: each sum goes where the last instant of its bucket is, so that none
-- leaves the window too soon.
local function reshaped(stored, limit, now)
  local record = empty(stored.era, limit, now)
  record.held = stored.held
  for n, sum in ipairs(stored.sums) do
    if n > stored.buckets then
      sum = share(sum, stored.window - stored.into, stored.window)
    end
    if sum > 0 then
      local last = math.min(now, start_of(stored, stored.index - n + 2) - 1)
      local age = record.index - bucket_of(record, last)
      if age <= record.buckets then
        record.sums[age + 1] = record.sums[age + 1] + sum
      end
    end
  end
  return record
end

local function copy_of(stored)
  local record = {era = stored.era, window = stored.window, buckets = stored.buckets, index = stored.index,
    held = stored.held, topup = 0, sums = {}}
  for n, sum in ipairs(stored.sums) do
    record.sums[n] = sum
  end
  return record
end

-- The record at `now`, with the window and the buckets of today.
function sliding_budget.project(limit, stored, now)
  local record = stored and advance(copy_of(stored), now) or empty(0, limit, now)
  if record.window ~= limit.window or record.buckets ~= limit.buckets then
    record = reshaped(record, limit, now)
  end
  record.limit = limit.limit
  return advance(record, now), 0
end

function sliding_budget.is_begun()
  return true
end

local function charge(record, amount)
  record.sums[1] = record.sums[1] + amount
  record.used = record.used + amount
end

-- Takes `amount` back out of the bucket that it was charged in, if that is still kept.
local function uncharge(record, amount, charged_at, now)
  local n = record.index - bucket_of(record, charged_at) + 1
  if n >= 1 and n <= record.buckets + 1 then
    record.sums[n] = math.max(0, record.sums[n] - amount)
    advance(record, now)
  end
end

local function is_charged_when_taken(meter)
  return meter == 'requests'
end

local function ref_of(record)
  return 's' .. args.text_of(record.era)
end

function sliding_budget.take(limit, record, meter, amount)
  if is_charged_when_taken(meter) then
    charge(record, amount)
  else
    record.held = record.held + amount
  end
  return ref_of(record)
end

-- Whether a hold is in the lease sets.
function sliding_budget.is_leased(hold)
  return not is_charged_when_taken(hold.meter)
end

function sliding_budget.spend(limit, record, amount)
  charge(record, amount)
end

-- What of a hold has been charged already.
local function charged_of(record, hold, before)
  local charged = is_charged_when_taken(hold.meter) and before ~= 'released' and hold.ref == ref_of(record)
  return charged and hold.amount or 0
end

function sliding_budget.overflows(record, hold, amount, before, now)
  return advance(record, now).used + amount - charged_of(record, hold, before) > args.MAX
end

local function lift(record, hold)
  if hold.ref == ref_of(record) then
    record.held = record.held - hold.amount
  end
end

function sliding_budget.settle(record, hold, amount, before, now, taken_at)
  advance(record, now)
  if before == 'held' and sliding_budget.is_leased(hold) then
    lift(record, hold)
  end
  local charged = charged_of(record, hold, before)
  if amount >= charged then
    charge(record, amount - charged)
  else
    uncharge(record, charged - amount, taken_at, now)
  end
end

function sliding_budget.release(record, hold, now, taken_at)
  advance(record, now)
  if sliding_budget.is_leased(hold) then
    lift(record, hold)
  elseif hold.ref == ref_of(record) then
    uncharge(record, hold.amount, taken_at, now)
  end
end

function sliding_budget.lapse(record, hold)
  lift(record, hold)
end

function sliding_budget.exceeds(limit, record, amount)
  return record.limit ~= nil and amount > record.limit
end

-- The most of a bucket (of `window`) that may be in the window for its share of `sum` to be at most `room`.
local function longest_share(sum, room, window)
  if room >= sum then
    return window
  end
  local left = math.min(window, math.floor(room / sum * window) + 2)
  while share(sum, left, window) > room do
    left = left - 1
  end
  return left
end

-- The first instant, from now on, at which the usage is at most `room`, from 0, if nobody acts.
local function instant_of(record, room, now)
  if record.used <= room then
    return now
  end
  local newer = 0
  local oldest = 1
  while newer + record.sums[oldest] <= room do
    newer = newer + record.sums[oldest]
    oldest = oldest + 1
  end
  local left = longest_share(record.sums[oldest], room - newer, record.window)
  local wait = (record.buckets - oldest + 2) * record.window - left - record.into
  return math.max(now, now + math.ceil(wait / record.buckets))
end

function sliding_budget.fits(limit, record, amount, now, soonest, last)
  local key = limit.name .. ':' .. ref_of(record)
  local held = record.held
  local from
  local function consider(instant)
    local room = record.limit - amount - held
    if room >= 0 then
      local at = math.max(instant, instant_of(record, room, now))
      from = math.min(from or at, at)
    end
  end
  consider(now)
  local seen = now
  for _, lease in ipairs(soonest) do
    if from and from <= lease.ends then
      return {from = from, estimated = false}
    end
    seen = lease.ends
    if lease.amounts[key] then
      held = held - lease.amounts[key]
      consider(lease.ends)
    end
  end
  if last and (not from or from > seen) then
    from = from or math.max(last, instant_of(record, record.limit - amount, now))
    return {from = from, estimated = true}
  end
  return from and {from = from, estimated = false}
end

-- When all spend has left the window, if nobody acts.
function sliding_budget.reset_at(record, now)
  return instant_of(record, 0, now)
end

-- A top-up brings no sum above the greatest: it is no more than there is room.
function sliding_budget.topup_overflows()
  return false
end

-- The greatest sum of which `left` of `window` is at most `counted`.
local function greatest_sum(counted, left, window)
  local whole = exact.quotient(window, left)
  return counted * whole + exact.muldiv(counted, math.fmod(window, left), left)
end

-- Forgives `amount` of the spend in the window, the oldest first; returns how much there was.
function sliding_budget.topup(limit, record, amount, now)
  local granted = math.min(amount, record.used)
  local rest = granted
  local size = record.buckets + 1
  for n = size, 1, -1 do
    local counted = record.sums[n]
    local left = record.window - record.into
    if n == size then
      counted = share(record.sums[n], left, record.window)
    end
    local taken = math.min(rest, counted)
    if taken == counted then
      record.sums[n] = 0
    elseif taken > 0 and n == size then
      record.sums[n] = greatest_sum(counted - taken, left, record.window)
    else
      record.sums[n] = record.sums[n] - taken
    end
    rest = rest - taken
  end
  advance(record, now)
  return granted
end

-- A reset forgets spend and live holds.
function sliding_budget.reset(limit, record, now)
  local fresh = empty(record.era + 1, record, now)
  fresh.limit = record.limit
  return advance(fresh, now)
end
