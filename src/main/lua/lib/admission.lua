-- Decides whether amounts fit every limit of every level. Pure but for looking at leases; writes nothing.
local admission = {}

-- Loads, sweeps and projects all levels to one instant. Returns now, or nil and the reply that ends the call:
-- STALE_CONFIG, STALE_PERIOD or STALE_ANCHOR.
function admission.prepare(levels, now_ms)
  for _, it in ipairs(levels) do
    level.load(it)
  end
  local now = level.now(levels, clock.read(now_ms))
  local stale = level.stale_configuration(levels, now)
  if stale then
    return nil, stale
  end
  for _, it in ipairs(levels) do
    level.sweep(it, now)
  end
  stale = level.project_all(levels, now)
  if stale then
    return nil, stale
  end
  return now
end

local function refusal_of_limit(it, limit, amount, now)
  local kind = kinds[limit.kind]
  local record = it.records[limit.name]
  local free = kinds.free(record)
  if not free then
    if record.used + record.held + amount > args.MAX then
      return {status = 'OVERFLOW'}
    end
    return nil
  end
  if amount <= math.max(0, free) then
    return nil
  end
  local refusal = {status = 'EXCEEDS'}
  if not kind.exceeds(limit, record, amount) then
    local fits = kind.fits(limit, record, amount, now, level.soonest(it, now))
    if fits then
      refusal = {status = 'DENIED', from = fits.from, until_ = fits.until_, estimated = fits.estimated}
    end
  end
  return refusal
end

local function refusal_of_holds(it)
  if it.live < it.max_holds then
    return nil
  end
  local rank = it.swept + it.live - it.max_holds
  local member = redis.call('ZRANGE', it.keys.leases, args.text_of(rank), args.text_of(rank), 'WITHSCORES')
  return {status = 'TOO_MANY_HOLDS', from = tonumber(member[2]), estimated = false}
end

local RANK = {OVERFLOW = 4, EXCEEDS = 3, TOO_MANY_HOLDS = 2, DENIED = 1}

-- The first instant from `from` on at which no limit is too small for a while.
local function skip_shortened(levels, amounts, from)
  local before
  repeat
    before = from
    for _, it in ipairs(levels) do
      for _, limit in ipairs(it.limits) do
        from = kinds.skip(limit, it.records[limit.name], amounts[limit.meter], from)
      end
    end
  until from == before
  return from
end

-- Adds the limits that let the amounts through now, but never again by the time that the others do.
local function add_too_late(verdict, levels, amounts)
  local refused = {}
  for _, refusal in ipairs(verdict.refusals) do
    refused[refusal.level .. ':' .. refusal.limit] = true
  end
  for l, it in ipairs(levels) do
    for n, limit in ipairs(it.limits) do
      local amount = amounts[limit.meter]
      local until_ = kinds.fits_until(limit, it.records[limit.name], amount)
      if until_ and verdict.from >= until_ and not refused[l .. ':' .. n] then
        verdict.refusals[#verdict.refusals + 1] = {status = 'EXCEEDS', level = l, limit = n, requested = amount}
      end
    end
  end
end

-- The verdict on amounts ({meter = amount}): nil when all fit, else {status, refusals, from, estimated}.
-- `holding` says that a lease will be taken. `from` is when all will fit, if nobody else acts.
function admission.decide(levels, amounts, holding, now)
  local refusals = {}
  for l, it in ipairs(levels) do
    if it.record_version == '*' then
      error("ARGUMENT record_version '*' is for what was taken before, and for reads", 0)
    end
    local function add(refusal, n, amount)
      if refusal then
        refusal.level = l
        refusal.limit = n
        refusal.requested = amount
        refusals[#refusals + 1] = refusal
      end
    end
    if holding then
      add(refusal_of_holds(it), 0, 0)
    end
    for n, limit in ipairs(it.limits) do
      local amount = amounts[limit.meter]
      if not amount then
        error('ARGUMENT amount of ' .. limit.meter .. ' is missing', 0)
      end
      add(refusal_of_limit(it, limit, amount, now), n, amount)
    end
  end
  if #refusals == 0 then
    return nil
  end
  local verdict = {status = 'DENIED', refusals = refusals, from = now, estimated = false}
  for _, refusal in ipairs(refusals) do
    verdict.from = math.max(verdict.from, refusal.from or 0)
    verdict.estimated = verdict.estimated or refusal.estimated or false
  end
  verdict.from = skip_shortened(levels, amounts, verdict.from)
  add_too_late(verdict, levels, amounts)
  for _, refusal in ipairs(refusals) do
    if refusal.until_ and verdict.from >= refusal.until_ then
      refusal.status = 'EXCEEDS'
    end
    if RANK[refusal.status] > RANK[verdict.status] then
      verdict.status = refusal.status
    end
  end
  return verdict
end

-- STATUS, now, swept, retry_ms (-1 = waiting does not help), estimated (0 or 1), refusals (count), then per refusal
-- status, level (from 1), limit (from 1, 0 = the level's holds), requested, frees_ms (-1 = never); then the state.
function admission.reply(verdict, levels, now)
  local hopeless = RANK[verdict.status] >= RANK.EXCEEDS
  local out = reply.of(verdict.status, now, levels)
  out[#out + 1] = hopeless and -1 or verdict.from - now
  out[#out + 1] = verdict.estimated and 1 or 0
  out[#out + 1] = #verdict.refusals
  for _, refusal in ipairs(verdict.refusals) do
    out[#out + 1] = refusal.status
    out[#out + 1] = refusal.level
    out[#out + 1] = refusal.limit
    out[#out + 1] = refusal.requested
    out[#out + 1] = refusal.from and refusal.from - now or -1
  end
  return reply.add_state(out, levels, now)
end
