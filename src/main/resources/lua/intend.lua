-- Puts a name on the list of filters to be reconciled.
--
-- The score is the time of the note, or of the oldest one if the name is there already, so that it
-- is found however often it is noted; and it grows with each note, so that nobody strikes off the
-- note of another.
--
-- KEYS[1] the sorted set of names to be reconciled
-- ARGV[1] name, ARGV[2] Unix time in milliseconds
-- Returns {'OK', score}
-- Complexity: O(log of names in the set). Writes.
local noted = redis.call('ZSCORE', KEYS[1], ARGV[1])
local score = noted and tonumber(noted) + 1 or tonumber(ARGV[2])
-- Where memory is exhausted Redis refuses a script's first write, and only that, unless it frees:
-- without a note nothing could be deleted any more. No name is empty: a set that became empty would
-- vanish, and while its slot is handed over a node of a cluster lets nobody make it again.
redis.call('ZREM', KEYS[1], '')
redis.call('ZADD', KEYS[1], string.format('%.0f', score), ARGV[1])
return {'OK', score}
