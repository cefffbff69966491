-- Renames a filter, in one step for its readers, deadline included. Only the first segment bears
-- the filter's name; the others are found by their incarnation and stay where they are.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4], KEYS[5], KEYS[6] the same of the new name
-- ARGV[1] '1' to replace a filter of the new name, '0' not to
-- Returns {'OK', sets}  sets: how many sets of segments the new name now lists
--         {'EXISTS'}    the new name is taken; nothing was changed
--         {'NOT_READY'} its segments are still being made
--         {'GONE'}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
--         {'TARGET_WRONG_TYPE', key}: see guard, of the new name; nothing was changed
-- Complexity: O(bits of one segment), for freeing what is replaced. Writes.
-- include: guard
-- include: deadline
local refused = guard(KEYS[1], KEYS[2], nil)
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'expiresAt', 'pending')
if stored[2] == 'create' then
  return {'NOT_READY'}
end
local target = guard(KEYS[4], KEYS[5], nil)
if target and target[1] == 'WRONG_TYPE' then
  return {'TARGET_WRONG_TYPE', target[2]}
end
if not (target and target[1] == 'GONE') then
  if ARGV[1] ~= '1' then
    return {'EXISTS'}
  end
  redis.call('UNLINK', KEYS[4], KEYS[5])
end
redis.call('RENAME', KEYS[1], KEYS[4])
redis.call('RENAME', KEYS[2], KEYS[5])
local sets = redis.call('HGETALL', KEYS[3])
if #sets > 0 then
  redis.call('HSET', KEYS[6], unpack(sets))
  redis.call('UNLINK', KEYS[3])
end
set_list_deadline(stored[1] or '0', KEYS[6])
return {'OK', redis.call('HLEN', KEYS[6])}
