-- Reads what is needed to reconcile a filter: the state of its live and of its next generation, in
-- whatever condition they are, and the sets of segments that its name owns or once owned.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] moves to this name
-- ARGV none
-- Returns {'OK', {field, value, ...}, {incarnation, segments, ...}, {field, value, ...}, {id, move, ...}}
--         the live state, the sets, the next state, the moves as move has them; any may be empty
--         {'WRONG_TYPE', key}, {'MOVING', move}  see guard and next
-- Complexity: O(1). Read-only.
-- include: guard
-- include: next
local live = guard(KEYS[1], KEYS[2], nil)
if live and (live[1] == 'WRONG_TYPE' or live[1] == 'MOVING') then
  return live
end
local following = guard_next(KEYS[4], KEYS[5], nil)
if following and (following[1] == 'WRONG_TYPE' or following[1] == 'MOVING') then
  return following
end
return guard_list(KEYS[3])
  or {'OK', redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[3]),
    redis.call('HGETALL', KEYS[4]), redis.call('HGETALL', KEYS[6])}
