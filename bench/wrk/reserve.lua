-- Reservations that are never settled: their leases end by themselves.
local common = dofile(os.getenv('BENCH_WRK') .. '/common.lua')

function init()
  common.seed()
end

function request()
  return wrk.format('POST', common.reservations(), common.headers, common.reserve_body)
end
