-- Exact products and quotients of whole numbers: a double holds them up to 2^53 only, a product of two may need more.
local exact = {}

local LIMB = 256
local LIMBS = {LIMB ^ 5, LIMB ^ 4, LIMB ^ 3, LIMB ^ 2, LIMB, 1}

-- The whole quotient of two whole numbers, a from 0 and b from 1.
function exact.quotient(a, b)
  return (a - math.fmod(a, b)) / b
end

-- a * b / c as a whole quotient and its remainder. a from 0 to 2^53 - 1, 0 <= b <= c, c from 1 to 2^44; the quotient
-- is at most a. Works through b in digits of 8 bits, so that no step leaves the whole numbers.
function exact.muldiv(a, b, c)
  if a * b <= args.MAX then
    return exact.quotient(a * b, c), math.fmod(a * b, c)
  end
  local below = math.fmod(a, c)
  local quotient, remainder = 0, 0
  local rest = b
  for _, unit in ipairs(LIMBS) do
    local digit = exact.quotient(rest, unit)
    rest = rest - digit * unit
    local value = remainder * LIMB + below * digit
    quotient = quotient * LIMB + exact.quotient(value, c)
    remainder = math.fmod(value, c)
  end
  return exact.quotient(a, c) * b + quotient, remainder
end

-- The sum of two amounts, but no more than the greatest amount.
function exact.capped_sum(a, b)
  return math.min(a + b, args.MAX)
end
