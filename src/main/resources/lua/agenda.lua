-- Sets when the source of a name is looked at, or lists names: those that are due by Redis's clock, or all.
--
-- KEYS[1] agenda: a sorted set of names by time
-- ARGV[1] the most names to list; '' to set the time of one
-- ARGV[2] name; or, to list also names that are not due, the number of names to skip
-- ARGV[3] the time the caller has read, in Unix milliseconds; '' to set any earlier one
-- ARGV[4] the new time; '+' and milliseconds from now; '' to remove the name
-- Returns {'OK', name, time, ...}  the names, longest due first; none if a time was set
--         {'CHANGED'}      the name has another time; nothing was changed
--         {'WRONG_TYPE'}   the key holds another type
-- Complexity: O(log names + names listed). Writes.
-- include: typed
-- include: expiry
if not typed('ZRANGE', KEYS[1], 0, 0) then
  return {'WRONG_TYPE'}
end
if ARGV[1] ~= '' then
  local is_due = ARGV[2] == ''
  local listed = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', is_due and milliseconds() or '+inf', 'WITHSCORES', 'LIMIT',
    is_due and 0 or ARGV[2], ARGV[1])
  return {'OK', unpack(listed)}
end
local score = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[2]) or '')
local time = tonumber(ARGV[4])
if string.sub(ARGV[4], 1, 1) == '+' then
  time = milliseconds() + time
end
if ARGV[3] == '' then
  -- Another time in any case, so that a caller who has read the old one changes nothing.
  time = score and math.min(time, score - 1) or time
elseif score ~= tonumber(ARGV[3]) then
  return {'CHANGED'}
end
if time then
  redis.call('ZADD', KEYS[1], time, ARGV[2])
else
  redis.call('ZREM', KEYS[1], ARGV[2])
end
return {'OK'}
