-- Creates a filter by writing its state, or changes fields of a state. Segments are created by the first block appended
-- to them.
--
-- KEYS[1] state of the live or of the next generation
-- ARGV[1] version, '' to create the filter
-- ARGV[2] expiry of a new filter in Unix milliseconds, '' for none or to keep it; then names and values of the fields
-- Returns {'OK'}
--         {'CHANGED'}, {'EXISTS'}, {'WRONG_TYPE'}  see state
-- Complexity: O(bytes of the fields). Writes.
-- include: typed
-- include: state
local _, refused = read_state_or_none(ARGV[1])
if refused then
  return refused
end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
if ARGV[2] ~= '' then
  redis.call('PEXPIREAT', KEYS[1], ARGV[2])
end
return {'OK'}
