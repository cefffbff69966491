-- Sets or removes the deadline of a filter. With several segments a later deadline is noted first
-- and applied by finish, once the other segments have it: a filter never outlives its segments.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- ARGV[1] generation, ARGV[2] deadline in Unix milliseconds, '0' for none
-- Returns {'OK'}
--         {'NOT_READY'}  its segments are still being made
--         {'GONE'}, {'STALE', generation}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
-- Complexity: O(1). Writes.
-- include: guard
-- include: deadline
local refused = guard(KEYS[1], KEYS[2], ARGV[1])
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'segments', 'expiresAt', 'pending')
if stored[3] == 'create' then
  return {'NOT_READY'}
end
local deadline = ARGV[2]
if deadline == '0' then
  redis.call('HDEL', KEYS[1], 'expiresAt')
else
  redis.call('HSET', KEYS[1], 'expiresAt', deadline)
end
redis.call('HINCRBY', KEYS[1], 'revision', '1')

local several = stored[1] ~= '1'
local later = stored[2] and (deadline == '0' or tonumber(deadline) > tonumber(stored[2]))
if several and not stored[3] then
  redis.call('HSET', KEYS[1], 'pending', 'expire')
end
if not (several and later) then
  set_deadline(deadline, KEYS[1], KEYS[2])
  set_list_deadline(deadline, KEYS[3])
end
return {'OK'}
