-- Frees one segment that belongs to no filter any more.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV none
-- Returns {'OK'}
-- Complexity: O(bits of the segment). Writes.
redis.call('UNLINK', KEYS[1], KEYS[2])
return {'OK'}
