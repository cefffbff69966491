-- Frees one segment that belongs to no filter any more, and leaves a mark that it was freed. Included by
-- the other scripts; not a script of its own.
--
-- Somebody may still be making the segments of a filter that was deleted meanwhile. What he made
-- after this would stay for ever, as nothing names it any more; the mark stops him. It vanishes by
-- itself, long after the last request that can still be on its way.
--
-- free(state, bits)
local function free(state, bits)
  redis.call('UNLINK', state, bits)
  redis.call('HSET', state, 'generation', 'freed')
  redis.call('PEXPIRE', state, '60000')
end
