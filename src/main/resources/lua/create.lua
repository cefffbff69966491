-- Creates a filter by writing its state. Segments are created by the first block appended to them.
--
-- KEYS[1] state
-- ARGV[1] expiry in Unix milliseconds, '' for none; then names and values of the fields
-- Returns {'OK'}
--         {'EXISTS'}      the name is taken; nothing was changed
--         {'UNFINISHED'}  the deletion of an earlier filter was cut off by a crash: delete it again
--         {'WRONG_TYPE'}  the key holds another type
-- Complexity: O(bytes of the fields). Writes.
-- include: typed
-- include: state
local stored, refused = read_state('')
if stored or refused[1] ~= 'GONE' then
  return refused[1] == 'CHANGED' and {'EXISTS'} or refused
elseif redis.call('EXISTS', KEYS[1]) == 1 then
  return {'UNFINISHED'}
end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
if ARGV[1] ~= '' then
  redis.call('PEXPIREAT', KEYS[1], ARGV[1])
end
return {'OK'}
