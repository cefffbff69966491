-- Takes the source of a filter away. A run of it ends without effect.
--
-- KEYS[1] state of the filter, KEYS[2] source
-- ARGV none
-- Returns {'OK'}
--         {'MOVING', move}  see source
--         {'GONE'}, {'NONE'}, {'WRONG_TYPE', key}: see source
-- Complexity: O(1). Writes.
-- include: source
local refused = guard_source(KEYS[1], KEYS[2])
if refused then
  return refused
end
redis.call('UNLINK', KEYS[2])
return {'OK'}
