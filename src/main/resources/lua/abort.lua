-- Aborts a rebuild: drops the next generation. What is live stays as it is.
--
-- KEYS[1] state, KEYS[2] bits of the live first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] source, not used
-- ARGV[1] the next generation
-- ARGV[2] '' to abort in any case, 'abandoned' only if the rebuild has been, 'lost' only if its
--         first segment lost a key
-- Returns {'OK'}
--         {'ACTIVE'}      it has not been abandoned, or lost nothing; nothing was changed
--         {'NO_REBUILD'}  there is none, or one of another generation
--         {'WRONG_TYPE', key}, {'MOVING', move}: see guard and next
-- Complexity: O(1), freeing in the background. Writes.
-- include: guard
-- include: next
-- include: clock
local live = guard(KEYS[1], KEYS[2], nil)
if live and (live[1] == 'WRONG_TYPE' or live[1] == 'MOVING') then
  return live
end
local damage = guard_next(KEYS[4], KEYS[5], nil)
local refused = guard_list(KEYS[3]) or damage
if refused and (refused[1] == 'WRONG_TYPE' or refused[1] == 'MOVING') then
  return refused
end
local named = redis.call('HGET', KEYS[1], 'next')
local following = redis.call('HMGET', KEYS[4], 'generation', 'abandonedAt')
-- One that lost its state is known by the name the live generation has for it.
if (following[1] or named) ~= ARGV[1] then
  return {'NO_REBUILD'}
end
if ARGV[2] == 'abandoned' and following[2] and now() < tonumber(following[2]) then
  return {'ACTIVE'}
end
if ARGV[2] == 'lost' and not damage then
  return {'ACTIVE'}
end
abandon_next(KEYS[1], KEYS[4], KEYS[5], KEYS[3])
return {'OK'}
