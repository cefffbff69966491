-- Puts a segment that was made into use: it holds the filter's generation from here on, with no
-- bit set.
--
-- Only the very segment that the caller saw, by its birth, and only if the filter was still being
-- created after he saw it. One that was made later, in the place of a segment that held elements
-- and was lost, has another birth and is never activated.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] revision, ARGV[3] birth
-- ARGV[4] deadline in Unix milliseconds, '0' for none
-- Returns {'OK'}  done, or done before
--         {'GONE'}  the segment was freed: its filter has been deleted
--         {'STALE', generation}  it holds this, or '' for nothing whole; nothing was changed
--         {'WRONG_TYPE', key}  see guard
-- Complexity: O(1). Writes.
-- include: guard
-- include: deadline
local refused = guard(KEYS[1], KEYS[2], nil)
if refused and refused[1] == 'WRONG_TYPE' then
  return refused
end
local generation = redis.call('HGET', KEYS[1], 'generation')
if generation == 'freed' then
  return {'GONE'}
end
if refused then
  return {'STALE', ''}
end
if generation == ARGV[1] then
  return {'OK'}
end
if generation ~= 'made:' .. ARGV[3] then
  return {'STALE', generation}
end
-- The segment has its room already. Where memory is exhausted Redis refuses a script's first
-- write, and only that, unless it frees.
redis.call('HDEL', KEYS[1], 'revision')
redis.call('HSET', KEYS[1], 'generation', ARGV[1], 'revision', ARGV[2])
set_deadline(ARGV[4], KEYS[1], KEYS[2])
return {'OK'}
