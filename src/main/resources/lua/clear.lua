-- Empties a filter: a new generation with no bit set. The other segments of a filter that has
-- several are emptied when they are next touched or settled: they still hold the old generation.
--
-- KEYS[1] state, KEYS[2] bits of the first segment
-- ARGV[1] generation, ARGV[2] the generation to come
-- Returns {'OK'}
--         {'NOT_READY'}  its segments are still being made
--         {'GONE'}, {'STALE', generation}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
-- Complexity: O(bits of one segment). Writes.
-- include: guard
-- include: deadline
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1])
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'segments', 'expiresAt', 'pending')
if stored[3] == 'create' then
  return {'NOT_READY'}
end
redis.call('DEL', KEYS[2])
redis.call('SETBIT', KEYS[2], string.format('%.0f', segment.segmentBits - 1), '0')
if stored[2] then
  set_deadline(stored[2], KEYS[2])
end
redis.call('HSET', KEYS[1], 'generation', ARGV[2], 'bitsSet', '0', 'insertions', '0')
redis.call('HINCRBY', KEYS[1], 'revision', '1')
if stored[1] ~= '1' then
  redis.call('HSET', KEYS[1], 'pending', 'clear')
end
return {'OK'}
