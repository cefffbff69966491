-- Notes that the later segments of a filter are as its state asks for, and that sets of segments
-- were freed.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- ARGV[1] revision the segments were settled to, '' if the filter is gone
-- ARGV[2...] incarnations whose segments were freed
-- Returns {'OK'}
--         {'CHANGED'}  the filter has another revision by now: settle again
-- Complexity: O(1). Writes.
-- include: deadline
if #ARGV > 1 then
  redis.call('HDEL', KEYS[3], unpack(ARGV, 2))
end
local stored = redis.call('HMGET', KEYS[1], 'revision', 'expiresAt')
if (stored[1] or '') ~= ARGV[1] then
  return {'CHANGED'}
end
if stored[1] then
  redis.call('HDEL', KEYS[1], 'pending')
  local deadline = stored[2] or '0'
  set_deadline(deadline, KEYS[1], KEYS[2])
  set_list_deadline(deadline, KEYS[3])
end
return {'OK'}
