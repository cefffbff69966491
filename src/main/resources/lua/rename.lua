-- Renames a filter, in one step for its readers, deadline included. Only the first segment bears
-- the filter's name; the others are found by their incarnation and stay where they are.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment: an open rebuild goes along
-- KEYS[6] source, which goes along too
-- KEYS[7...12] the same of the new name
-- KEYS[13] config of an adopted bitmap, if it has one. Bitmap and config stay where they are.
-- ARGV[1] '1' to replace a filter of the new name, '0' not to
-- Returns {'OK'}
--         {'EXISTS'}    the new name is taken; nothing was changed
--         {'NOT_READY'} its segments are still being made
--         {'MOVING', move}  see guard
--         {'GONE'}, {'DAMAGED', key}, {'WRONG_TYPE', key}, {'MISMATCH', key},
--         {'ELSEWHERE', key, config}: see guard and next
--         {'TARGET_WRONG_TYPE', key}: see guard and next, of the new name; nothing was changed
-- Complexity: O(bits of one segment), for freeing what is replaced. Writes.
-- include: guard
-- include: next
local refused = guard(KEYS[1], KEYS[2], nil, KEYS[13]) or guard_list(KEYS[3])
  or foreign_next(KEYS[4], KEYS[5])
if refused then
  return refused
end
if redis.call('HGET', KEYS[1], 'pending') == 'create' then
  return {'NOT_READY'}
end
local target = guard(KEYS[7], KEYS[8], nil)
if target and target[1] == 'MOVING' then
  return target
end
local taken = not (target and target[1] == 'GONE')
if not (target and target[1] == 'WRONG_TYPE') then
  target = guard_list(KEYS[9]) or foreign_next(KEYS[10], KEYS[11])
end
if target then
  return {'TARGET_WRONG_TYPE', target[2]}
end
if taken and ARGV[1] ~= '1' then
  return {'EXISTS'}
end
-- What is overwritten is not removed first: while its slot is handed over a node of a cluster lets
-- nobody make a key again.
local function drop(...)
  if redis.call('EXISTS', ...) > 0 then
    redis.call('UNLINK', ...)
  end
end
local dropped = {set_of(KEYS[7]), set_of(KEYS[10])}
redis.call('RENAME', KEYS[1], KEYS[7])
if is_own(KEYS[2]) then
  redis.call('RENAME', KEYS[2], KEYS[8])
else
  drop(KEYS[8])
end
if redis.call('EXISTS', KEYS[4], KEYS[5]) == 2 then
  redis.call('RENAME', KEYS[4], KEYS[10])
  redis.call('RENAME', KEYS[5], KEYS[11])
else
  -- None, or one that lost a key and so cannot be committed any more.
  dropped[3] = set_of(KEYS[4])
  drop(KEYS[4], KEYS[5])
  drop(KEYS[10], KEYS[11])
end
if redis.call('EXISTS', KEYS[6]) == 1 then
  redis.call('RENAME', KEYS[6], KEYS[12])
else
  drop(KEYS[12])
end
local sets = redis.call('HGETALL', KEYS[3])
if #sets > 0 then
  redis.call('HSET', KEYS[9], unpack(sets))
  redis.call('UNLINK', KEYS[3])
end
for _, set in ipairs(dropped) do
  keep_set(KEYS[9], set)
end
-- The list now may name segments that wait to be freed, which it must outlive; finish dates it.
redis.call('PERSIST', KEYS[9])
return {'OK'}
