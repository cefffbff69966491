-- Counts elements that were loaded into the next generation, and so confirms, after they were
-- written, that it still is the next: neither committed nor aborted meanwhile.
--
-- KEYS[1] state, KEYS[2] bits of the next first segment
-- ARGV[1] the next generation, ARGV[2] how many elements
-- Returns {'OK', received}   all elements received so far
--         {'MOVING', move}  see guard
--         {'NO_REBUILD'}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see next
-- Complexity: O(1). Writes.
-- include: guard
-- include: next
-- include: clock
local refused = guard_next(KEYS[1], KEYS[2], ARGV[1])
if refused then
  return refused
end
local patience = tonumber(redis.call('HGET', KEYS[1], 'patience'))
if not patience then
  return {'DAMAGED', 'nextState'}
end
redis.call('HSET', KEYS[1], 'abandonedAt', string.format('%.0f', now() + patience))
return {'OK', redis.call('HINCRBY', KEYS[1], 'received', ARGV[2])}
