-- Reads the source of a filter, and the time by the clock that decides when it is due.
--
-- KEYS[1] state of the filter, KEYS[2] source
-- ARGV none
-- Returns {'OK', now, {field, value, ...}}  now: Unix time in milliseconds
--         {'NONE', now}  the filter has no source
--         {'MOVING', move}  see source
--         {'GONE'}, {'WRONG_TYPE', key}: see source
-- Complexity: O(1). Read-only.
-- include: source
-- include: clock
local refused = guard_source(KEYS[1], KEYS[2])
if not refused then
  return {'OK', now(), redis.call('HGETALL', KEYS[2])}
elseif refused[1] == 'NONE' then
  return {'NONE', now()}
end
return refused
