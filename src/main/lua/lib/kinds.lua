-- What each kind of limit does, by the word that a call's terms name it with. A kind is a fragment with
--   FIELD             what the field of its records in the state starts with
--   encode, decode    a record as text, and back
--   read_terms        reads what the call's terms say of a limit of the kind
--   project           (limit, stored or nil, now): the record as it is now, the boundaries passed since and, where
--                     there are any, the instant of the last one; nil = the terms do not reach now. Of the stored
--                     record it returns at most a period that goes on.
--   is_begun          (record): whether a record that nobody has written yet is worth writing
--   take              (limit, record, meter, amount, now): a reservation; returns how it names the place (its ref)
--   spend             (limit, record, amount, now): a charge
--   settle, release   (record, hold, ...): what becomes of a hold {name, meter, ref, amount}
--   is_leased, lapse  (hold), (record, hold): whether a hold counts only while it is live, and its end
--   overflows         (record, hold, amount, before, now): whether settling `amount` brings a sum above the greatest
--   exceeds, fits     (limit, record, amount, ...): whether a refused amount never fits, and else when it does
--   reset_at          (record, now): when it is whole again
--   topup_overflows   (record, amount): whether a top-up of `amount` brings a sum above the greatest
--   topup, reset      (limit, record, ...): grants
-- and records with limit (nil = never refuses), topup, used and held.
local kinds = {
  period = period_quota,
  session = period_quota,
  token_bucket = token_bucket,
  sliding = sliding_budget,
}

-- The kind of a hold, by what its ref starts with.
function kinds.of_ref(ref)
  local first = string.sub(ref, 1, 1)
  return first == 'b' and token_bucket or first == 's' and sliding_budget or period_quota
end

function kinds.of_field(field)
  local first = string.sub(field, 1, 2)
  return first == token_bucket.FIELD and token_bucket or first == sliding_budget.FIELD and sliding_budget
    or period_quota
end

-- The instant from which `amount` never fits again, or nil: a top-up that it needs ends with its period.
function kinds.fits_until(limit, record, amount)
  local needs_topup = kinds[limit.kind] == period_quota and limit.limit and amount > limit.limit
  return needs_topup and record.ends or nil
end

-- The first instant from `from` on at which a limit that fits by then has not become too small again.
function kinds.skip(limit, record, amount, from)
  local is_period = kinds[limit.kind] == period_quota
  return is_period and period_quota.skip(limit, record, amount, from) or from
end

-- Units that a call may still take, less than 0 when there are too few; nil = without bound. A limit that was raised
-- after a purchase may come to more with it than there can be: what is taken never sums up to more than the greatest.
function kinds.free(record)
  return record.limit and exact.capped_sum(record.limit, record.topup) - record.used - record.held
end
