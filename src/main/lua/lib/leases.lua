-- The live reservations of a level: a sorted set whose score is the end of the lease. A member carries what it holds at
-- this level, `id|limit:ref:amount|...`, so that a lapse touches this level alone.
local leases = {}

-- How many live leases are looked through for the time of a retry; beyond that it is an estimate.
leases.LOOKED_THROUGH = 128

function leases.member(id, holds)
  local parts = {id}
  for _, hold in ipairs(holds) do
    if kinds.of_ref(hold.ref).is_leased(hold) then
      parts[#parts + 1] = hold.name .. ':' .. hold.ref .. ':' .. args.text_of(hold.amount)
    end
  end
  return table.concat(parts, '|')
end

-- The holds of a member, each {name, ref, amount}.
function leases.holds_of(member)
  local holds = {}
  for name, ref, amount in string.gmatch(member, '|([^:|]+):(s?%-?%d+):(%d+)') do
    holds[#holds + 1] = {name = name, ref = ref, amount = tonumber(amount)}
  end
  return holds
end

-- The members whose lease has ended at `now`: a lease counts exactly while now < its end.
function leases.lapsed(key, now)
  return redis.call('ZRANGEBYSCORE', key, '-inf', args.text_of(now))
end

-- The soonest ending live leases, each {ends, amounts}; and the end of the last one when there are more.
function leases.soonest(key, now)
  local found = redis.call('ZRANGEBYSCORE', key, '(' .. args.text_of(now), '+inf', 'WITHSCORES',
    'LIMIT', 0, leases.LOOKED_THROUGH + 1)
  local list = {}
  for n = 1, math.min(#found, leases.LOOKED_THROUGH * 2), 2 do
    local amounts = {}
    for _, hold in ipairs(leases.holds_of(found[n])) do
      amounts[hold.name .. ':' .. hold.ref] = hold.amount
    end
    list[#list + 1] = {ends = tonumber(found[n + 1]), amounts = amounts}
  end
  if #found <= leases.LOOKED_THROUGH * 2 then
    return list, nil
  end
  return list, tonumber(redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
end
