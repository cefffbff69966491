-- Frees one segment that belongs to no filter any more, and leaves a mark that it was freed.
--
-- Somebody may still be making the segments of a filter that was deleted meanwhile. What he made
-- after this would stay for ever, as nothing names it any more; the mark stops him. It vanishes by
-- itself, long after the last request that can still be on its way.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV none
-- Returns {'OK'}
-- Complexity: O(bits of the segment). Writes.
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'generation', 'freed')
redis.call('PEXPIRE', KEYS[1], '60000')
return {'OK'}
