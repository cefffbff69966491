-- Has the source of a name looked at again at another time, or not at all, unless somebody has given
-- another time meanwhile.
--
-- KEYS[1] the sorted set of names with a source that is read by itself
-- ARGV[1] name, ARGV[2] the time it had: Unix time in milliseconds
-- ARGV[3] the time to look at it again, or '' to take it off
-- Returns {'OK'}
-- Complexity: O(log of names in the set). Writes.
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score and tonumber(score) == tonumber(ARGV[2]) then
  if ARGV[3] == '' then
    redis.call('ZREM', KEYS[1], ARGV[1])
  else
    redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  end
end
return {'OK'}
