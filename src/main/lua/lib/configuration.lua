-- The audit trails of what is configured: one of all plans, and one of each subject, of all its lives.
--
-- Fields of an event: operation, at, by, role, name (of the plan or the subject), before and version (0 = there was or
-- is none), revision (of the file, 0 = no file), was_bytes, was, is_bytes and is: the documents and their sizes. One
-- that is larger than 32 KiB is not kept, its size is.
local configuration = {}

local LARGEST_DOCUMENT = 32768

-- Who changes it, and how long and how many of the events are kept.
function configuration.author_of(reader)
  return {by = reader.text('by'), role = reader.text('role'),
    kept_ms = reader.integer('audit_kept_ms', 86400000, args.MAX), kept = reader.integer('audit_kept', 1, 1000000)}
end

local function kept_of(document)
  return #document > LARGEST_DOCUMENT and '' or document
end

-- Writes one event; `change` has operation, name, before and version (as text), revision (as text), was and is.
function configuration.save(key, author, change, now)
  trail.save(key, {'operation', change.operation, 'at', args.text_of(now), 'by', author.by, 'role', author.role,
    'name', change.name, 'before', change.before, 'version', change.version, 'revision', change.revision or '0',
    'was_bytes', args.text_of(#change.was), 'was', kept_of(change.was),
    'is_bytes', args.text_of(#change.is), 'is', kept_of(change.is)}, author.kept, author.kept_ms, now)
end
