-- What each kind of limit does, by the word that a call's terms name it with. A kind has encode, decode, read_terms,
-- project, open, free, exceeds and fits_at; see period_quota for what each of them means.
local kinds = {
  period = period_quota,
  session = period_quota,
}
