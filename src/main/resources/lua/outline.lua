-- Reads what is needed to settle a filter of several segments: its state, whatever condition it is
-- in, and the sets of segments that its name owns or once owned.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- ARGV none
-- Returns {'OK', {field, value, ...}, {incarnation, segments, ...}}  either may be empty
--         {'WRONG_TYPE', key}  see guard
-- Complexity: O(1). Read-only.
-- include: guard
local refused = guard(KEYS[1], KEYS[2], nil)
if refused and refused[1] == 'WRONG_TYPE' then
  return refused
end
return guard_list(KEYS[3])
  or {'OK', redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[3])}
