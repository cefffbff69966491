-- Deletes a filter, whole or damaged. The segments beyond the first stay named in the list of
-- segment sets until they are freed.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- ARGV none
-- Returns {'OK', sets}  sets: how many sets of segments are left to be freed
--         {'GONE'}      there is no such filter
--         {'WRONG_TYPE', key}  see guard; nothing was deleted
-- Complexity: O(bits of one segment). Writes.
-- include: guard
local refused = guard(KEYS[1], KEYS[2], nil)
if refused and refused[1] ~= 'DAMAGED' then
  return refused
end
redis.call('UNLINK', KEYS[1], KEYS[2])
return {'OK', redis.call('HLEN', KEYS[3])}
