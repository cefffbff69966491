-- Has the source of a name looked at by a certain time. The score is that time, or an earlier one
-- that it has; and it changes each time, so that nobody who is late puts the name off or takes it
-- off, see reschedule.
--
-- KEYS[1] the sorted set of names with a source that is read by itself
-- ARGV[1] name, ARGV[2] Unix time in milliseconds
-- Returns {'OK'}
-- Complexity: O(log of names in the set). Writes.
local listed = redis.call('ZSCORE', KEYS[1], ARGV[1])
local score = tonumber(ARGV[2])
if listed then
  score = math.min(score, tonumber(listed) - 1)
end
redis.call('ZADD', KEYS[1], string.format('%.0f', score), ARGV[1])
return {'OK'}
