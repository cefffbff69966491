-- Fences a filter that moves to another slot, and tells all that is to move but the bitmaps. From
-- here on nothing of the filter changes, and nobody is answered from it: see guard.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment, KEYS[6] source
-- ARGV[1] the move: its id, the name and the new name, divided by spaces
-- Returns {'OK', state, sets, next state, source, bytes of the bitmap, bytes of the next bitmap,
--         deadline}  the four as {field, value, ...}, empty if there is none; the deadline of the
--         keys in Unix milliseconds, '0' for none
--         {'NOT_READY'} its segments are still being made
--         {'GONE'}, {'DAMAGED', key}, {'WRONG_TYPE', key}, {'MOVING', move},
--         {'ELSEWHERE', key, config}: see guard and next; nothing was changed
-- Complexity: O(1). Writes.
-- include: guard
-- include: next
-- include: clock
local refused = guard(KEYS[1], KEYS[2], nil) or guard_list(KEYS[3])
  or foreign_next(KEYS[4], KEYS[5])
if refused then
  return refused
end
local source = redis.pcall('HGETALL', KEYS[6])
if source.err then
  return refusal(source, 'source')
end
local stored = redis.call('HMGET', KEYS[1], 'pending', 'expiresAt')
if stored[1] == 'create' then
  return {'NOT_READY'}
end
local state = redis.call('HGETALL', KEYS[1])
local sets = redis.call('HGETALL', KEYS[3])
local following, following_bytes = {}, 0
redis.call('HSET', KEYS[1], 'moving', ARGV[1])
-- One that lost a key cannot be committed any more, and stays behind.
if redis.call('EXISTS', KEYS[4], KEYS[5]) == 2 then
  following = redis.call('HGETALL', KEYS[4])
  following_bytes = redis.call('STRLEN', KEYS[5])
  redis.call('HSET', KEYS[4], 'moving', ARGV[1])
end
local deadline = '0'
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then
  -- While a change is pending the keys may have an earlier one than the state says.
  deadline = not stored[1] and stored[2] or string.format('%.0f', now() + left)
end
return {'OK', state, sets, following, source, redis.call('STRLEN', KEYS[2]), following_bytes,
  deadline}
