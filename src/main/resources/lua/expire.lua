-- Sets or removes the deadline of a filter. With several segments a later deadline is noted first
-- and applied by finish, once the other segments have it: a filter never outlives its segments.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment, KEYS[6] source: they have the same deadline
-- KEYS[7] config of an adopted bitmap, if it has one
-- ARGV[1] generation, ARGV[2] deadline in Unix milliseconds, '0' for none
-- Returns {'OK'}
--         {'NOT_READY'}  its segments are still being made
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard and next
-- Complexity: O(1). Writes.
-- include: guard
-- include: next
-- include: deadline
-- include: clock
local refused = guard(KEYS[1], KEYS[2], ARGV[1], KEYS[7])
if not refused then
  refused = foreign_next(KEYS[4], KEYS[5])
end
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'segments', 'pending')
if stored[2] == 'create' then
  return {'NOT_READY'}
end
local several = stored[1] ~= '1'
local deadline = ARGV[2]
-- Compared with what the key has: the deadline in the state may itself not be applied yet.
local left = redis.call('PTTL', KEYS[1])
local later = left >= 0 and (deadline == '0' or tonumber(deadline) - now() > left)

-- First, as it fails on a revision that is not a number.
redis.call('HINCRBY', KEYS[1], 'revision', '1')
for _, state in ipairs({KEYS[1], KEYS[4]}) do
  if deadline == '0' then
    redis.call('HDEL', state, 'expiresAt')
  elseif redis.call('EXISTS', state) == 1 then
    redis.call('HSET', state, 'expiresAt', deadline)
  end
end
if several then
  if not stored[2] then
    redis.call('HSET', KEYS[1], 'pending', 'expire')
  end
  -- Until they have the new deadline, the segments may outlive the filter; the list names them.
  redis.call('PERSIST', KEYS[3])
end
if not (several and later) then
  set_deadline(deadline, unpack(KEYS, 4))
  set_deadline(deadline, KEYS[1], KEYS[2])
end
return {'OK'}
