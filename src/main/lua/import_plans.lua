-- Takes over the plans of a file, whole, when its revision is greater than the one imported last.
--
-- KEYS   1 plans (put_plan); 2 audit trail of all plans.
-- ARGV   now_ms (0 = Redis TIME); channel (of changes); revision; default_plan ('' = none); plans (count), then
--        name and document (JSON); by; role; audit_kept_ms; audit_kept.
-- Returns WRITTEN, now, 0; NOT_NEWER, now, 0, revision as it is.
-- Invariants: plans that an earlier file owned and this one lacks are deleted; those of the API stay, unless named.
--        Exactly one event for each plan that is added, changed, taken over or deleted, and one for each that becomes
--        or ceases to be the default plan; one that stays as it was keeps its version.
-- Cost   O(plans).
-- Source product law 22; the configuration part of the HTTP contract.

--- @include lib/args
--- @include lib/clock
--- @include lib/plans
--- @include lib/trail
--- @include lib/configuration

local reader = args.reader(ARGV)
local now = clock.read(reader.integer('now_ms', 0, 253402300799999))
local channel = reader.text('channel')
local revision = reader.integer('revision', 1, args.MAX)
local default_plan = reader.text('default_plan')
local documents = {}
local names = {}
for n = 1, reader.integer('plans', 0, 1000) do
  names[n] = reader.text('name')
  documents[names[n]] = reader.text('document')
end
local author = configuration.author_of(reader)
reader.finish()

local imported = tonumber(redis.call('HGET', KEYS[1], 'r') or 0)
if revision <= imported then
  return {'NOT_NEWER', now, 0, imported}
end
local stored = redis.call('HGETALL', KEYS[1])
local before, default_before = {}, redis.call('HGET', KEYS[1], 'd') or ''
for n = 1, #stored, 2 do
  local name = string.match(stored[n], '^p:(.*)$')
  if name then
    local version, owner, document = string.match(stored[n + 1], '^(%d+) (%a+) (.*)$')
    before[name] = {version = version, owner = owner, document = document}
    if owner == 'file' and not documents[name] then
      names[#names + 1] = name
    end
  end
end

-- Writes begin here.
local generation = args.text_of(plans.move_on(KEYS[1], channel, now))
for _, name in ipairs(names) do
  local was = before[name] or {version = '0', document = ''}
  local is = documents[name]
  if not is then
    redis.call('HDEL', KEYS[1], 'p:' .. name)
  elseif was.owner ~= 'file' or was.document ~= is then
    redis.call('HSET', KEYS[1], 'p:' .. name, generation .. ' file ' .. is)
  end
  if not is or was.owner ~= 'file' or was.document ~= is then
    configuration.save(KEYS[2], author, {operation = 'import', name = name, before = was.version,
      version = is and generation or '0', revision = args.text_of(revision), was = was.document, is = is or ''}, now)
  end
end
if default_plan ~= default_before then
  for _, change in ipairs({{'default_off', default_before}, {'default_on', default_plan}}) do
    local operation, name = change[1], change[2]
    if name ~= '' then
      local version = string.match(redis.call('HGET', KEYS[1], 'p:' .. name) or '', '^%d+') or '0'
      configuration.save(KEYS[2], author, {operation = operation, name = name, before = version, version = version,
        revision = args.text_of(revision), was = '', is = ''}, now)
    end
  end
end
redis.call('HSET', KEYS[1], 'r', args.text_of(revision), 'd', default_plan)
return {'WRITTEN', now, 0}
