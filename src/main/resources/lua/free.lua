-- Frees one segment that belongs to no filter any more, see freed.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV none
-- Returns {'OK'}
-- Complexity: O(bits of the segment). Writes.
-- include: freed
free(KEYS[1], KEYS[2])
return {'OK'}
