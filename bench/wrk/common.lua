-- What the loads have in common: the key, the bodies, and subjects to choose from.
local common = {}

local subjects = tonumber(os.getenv('BENCH_SUBJECTS') or '1000')

common.headers = {
  ['Authorization'] = 'Bearer ' .. os.getenv('BENCH_KEY'),
  ['Content-Type'] = 'application/json',
}
common.reserve_body = '{"amounts":{"tokens":10}}'
common.settle_body = '{"amounts":{"tokens":7}}'

-- The path of the reservations of a subject, one at random.
function common.reservations()
  return '/v1/quota/subject-' .. math.random(subjects) .. '/api/reservations'
end

-- Every thread of the load draws other numbers.
function common.seed()
  local address = tostring({}):match('0x(%x+)')
  math.randomseed(tonumber(address:sub(-7), 16))
end

return common
