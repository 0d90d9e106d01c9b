-- The strict reader of ARGV: every argument has a name, a type and a range, and anything else is an error raised
-- before the first write. `tonumber` alone would take 'nan', '0x10', '1e3' and ' 5 '.
local args = {}

-- The greatest amount, and the greatest sum of amounts: doubles are exact up to here.
args.MAX = 9007199254740991
-- The longest window and the longest interval of a rate: 366 days.
args.LONGEST_MS = 31622400000

function args.reader(argv)
  local at = 0
  local reader = {}

  local function fail(name, why)
    error('ARGUMENT ' .. at .. ' (' .. name .. ') ' .. why, 0)
  end

  function reader.text(name)
    at = at + 1
    local value = argv[at]
    if value == nil then
      fail(name, 'is missing')
    end
    return value
  end

  function reader.integer(name, min, max)
    local value = reader.text(name)
    if not (value == '0' or string.match(value, '^%-?[1-9]%d*$')) or #value > 17 then
      fail(name, 'is not a whole number')
    end
    local number = tonumber(value)
    if number < min or number > max then
      fail(name, 'is out of range')
    end
    return number
  end

  function reader.amount(name)
    return reader.integer(name, 0, args.MAX)
  end

  -- An amount, or nil for '' (none).
  function reader.optional_amount(name)
    if argv[at + 1] == '' then
      at = at + 1
      return nil
    end
    return reader.amount(name)
  end

  function reader.instant(name)
    return reader.integer(name, -62135596800000, 253402300799999)
  end

  -- {meter = amount, ...}
  function reader.amounts()
    local amounts = {}
    for _ = 1, reader.integer('meters', 0, 64) do
      local meter = reader.text('meter')
      amounts[meter] = reader.amount('amount of ' .. meter)
    end
    return amounts
  end

  function reader.finish()
    if argv[at + 1] ~= nil then
      at = at + 1
      fail('none', 'is one too many')
    end
  end

  return reader
end

-- A whole number as text; never '1e+14' and never '-0'.
function args.text_of(number)
  return string.format('%.0f', number + 0)
end
