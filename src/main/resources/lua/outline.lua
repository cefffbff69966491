-- Reads what is needed to settle a filter: the state of its live and of its next generation, in
-- whatever condition they are, and the sets of segments that its name owns or once owned.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] source, not used
-- ARGV none
-- Returns {'OK', {field, value, ...}, {incarnation, segments, ...}, {field, value, ...}}  the live
--         state, the sets, the next state; any may be empty
--         {'WRONG_TYPE', key}  see guard and next
-- Complexity: O(1). Read-only.
-- include: guard
-- include: next
local live = guard(KEYS[1], KEYS[2], nil)
if live and live[1] == 'WRONG_TYPE' then
  return live
end
local following = guard_next(KEYS[4], KEYS[5], nil)
if following and following[1] == 'WRONG_TYPE' then
  return following
end
return guard_list(KEYS[3])
  or {'OK', redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[3]),
    redis.call('HGETALL', KEYS[4])}
