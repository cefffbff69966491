-- Empties a filter: a new generation with no bit set. The other segments of a filter that has
-- several are emptied when they are next touched or reconciled: they still hold the old generation.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] source, not used
-- KEYS[7] config of an adopted bitmap, if it has one
-- ARGV[1] generation, ARGV[2] the generation to come
-- Returns {'OK'}
--         {'IN_PROGRESS'}  a rebuild is open: what was added since would come back with its commit
--         {'NOT_READY'}  its segments are still being made
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard and next
-- Complexity: O(bits of one segment). Writes.
-- include: guard
-- include: next
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], KEYS[7])
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'segments', 'pending')
if stored[2] == 'create' then
  return {'NOT_READY'}
end
local following = guard_next(KEYS[4], KEYS[5], nil)
if not following then
  return {'IN_PROGRESS'}
elseif following[1] == 'WRONG_TYPE' then
  return following
end
-- First, as it fails on a revision that is not a number.
redis.call('HINCRBY', KEYS[1], 'revision', '1')
if following[1] ~= 'NO_REBUILD' or segment.next ~= '' then
  -- What lost a key can neither be committed nor aborted by a client.
  abandon_next(KEYS[1], KEYS[4], KEYS[5], KEYS[3])
end
-- The deadline noted in the state may be one that is still to be applied; the key keeps its own.
redis.call('SET', KEYS[2], '', 'KEEPTTL')
-- An adopted bitmap grows again as bits are set, but it is always there.
local last = segment.adopted and 0 or segment.segmentBits - 1
redis.call('SETBIT', KEYS[2], string.format('%.0f', last), '0')
redis.call('HSET', KEYS[1], 'generation', ARGV[2], 'bitsSet', '0', 'insertions', '0', 'mark', '')
if KEYS[7] and is_counter(KEYS[7]) then
  redis.call('SET', KEYS[7], '0', 'KEEPTTL')
end
redis.call('HDEL', KEYS[1], 'base', 'baseMark', 'folded', 'tip', 'slice', 'taken', 'newestSlice',
  'ringBitsSet', 'countersAbove0', 'countersFull')
if stored[1] ~= '1' then
  redis.call('HSET', KEYS[1], 'pending', 'clear')
end
return {'OK'}
