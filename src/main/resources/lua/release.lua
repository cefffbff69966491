-- Removes the source of a filter. A run of it loses its claim.
--
-- KEYS[1] state, KEYS[2] source
-- ARGV none
-- Returns {'OK'}
--         {'GONE'}, {'NONE'}  there is no filter, or it has no source
--         {'WRONG_TYPE'}      a key holds another type
-- Complexity: O(1). Writes.
-- include: typed
-- include: source
local refused = check_filter(true)
if refused then
  return refused
end
redis.call('HDEL', KEYS[1], 'source')
redis.call('UNLINK', KEYS[2])
return {'OK'}
