-- Reservations, each settled by the next call of the same thread.
local common = dofile(os.getenv('BENCH_WRK') .. '/common.lua')

local held = {}

function init()
  common.seed()
end

function request()
  local location = table.remove(held)
  if location then
    return wrk.format('POST', location .. '/settle', common.headers, common.settle_body)
  end
  return wrk.format('POST', common.reservations(), common.headers, common.reserve_body)
end

function response(status, headers)
  if status == 201 then
    held[#held + 1] = headers['Location'] or headers['location']
  end
end
