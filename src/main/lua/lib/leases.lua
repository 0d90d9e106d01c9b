-- The live reservations of a level: a sorted set whose score is the end of the lease. A member carries what it holds at
-- this level, `id|limit:seq:amount|...`, so that a lapse touches this level alone.
local leases = {}

-- How many live leases are looked through for the time of a retry; beyond that it is an estimate.
leases.LOOKED_THROUGH = 128

function leases.member(id, holds)
  local parts = {id}
  for _, hold in ipairs(holds) do
    parts[#parts + 1] = hold.name .. ':' .. args.text_of(hold.seq) .. ':' .. args.text_of(hold.amount)
  end
  return table.concat(parts, '|')
end

-- Calls visit(name, seq, amount) for each hold of a member; seq is text.
function leases.each_hold(member, visit)
  for name, seq, amount in string.gmatch(member, '|([^:|]+):(%-?%d+):(%d+)') do
    visit(name, seq, tonumber(amount))
  end
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
    leases.each_hold(found[n], function(name, seq, amount)
      amounts[name .. ':' .. seq] = amount
    end)
    list[#list + 1] = {ends = tonumber(found[n + 1]), amounts = amounts}
  end
  if #found <= leases.LOOKED_THROUGH * 2 then
    return list, nil
  end
  return list, tonumber(redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
end
