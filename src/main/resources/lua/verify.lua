-- Confirms that a filter of several segments still is what the caller believes it to be. Asked
-- after its segments were read or written: the filter's first segment is the authority on which
-- generation is live, and the others cannot know of a deletion or a renaming.
--
-- KEYS[1] state, KEYS[2] bits of the filter's first segment
-- KEYS[3] config, if it has one
-- ARGV[1] generation
-- Returns {'OK', next}  next: the generation that an open rebuild loads, or ''
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard
-- Complexity: O(1). Read-only.
-- include: guard
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], KEYS[3])
return refused or {'OK', segment.next}
