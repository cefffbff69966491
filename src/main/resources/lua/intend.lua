-- Puts a name on the list of filters to be reconciled.
--
-- KEYS[1] the sorted set of names to be reconciled
-- ARGV[1] name, ARGV[2] Unix time in milliseconds
-- Returns {'OK', score}
-- Complexity: O(log of names in the set). Writes.
-- include: note
return {'OK', note(KEYS[1], ARGV[1], tonumber(ARGV[2]))}
