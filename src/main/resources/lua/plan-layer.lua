-- Notes in the state of a filter which layer is about to be made, and has the list of segment sets name its
-- segments, so that they are freed with the others whatever happens to who makes them.
--
-- KEYS[1] state, KEYS[2] bits of the first segment; of a live or a next generation
-- KEYS[3] list of segment sets
-- ARGV[1] generation, ARGV[2] its incarnation
-- ARGV[3] how many layers it has, ARGV[4] the layer, ARGV[5] how many segments there are with it
-- Returns {'OK'}       done; or another layer is planned already, or open: look at the state
--         {'NOT_READY'}  its segments are still being made
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
-- Complexity: O(1). Writes.
-- include: guard
local refused = guard(KEYS[1], KEYS[2], ARGV[1]) or guard_list(KEYS[3])
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'pending', 'layers', 'layer:' .. ARGV[3])
if stored[1] == 'create' then
  return {'NOT_READY'}
end
if stored[2] == ARGV[3] and not stored[3] then
  redis.call('HSET', KEYS[1], 'layer:' .. ARGV[3], ARGV[4])
  redis.call('HSET', KEYS[3], ARGV[2], ARGV[5])
  -- It has to outlive the segments that it names, and they have no deadline before they are in use.
  redis.call('PERSIST', KEYS[3])
end
return {'OK'}
