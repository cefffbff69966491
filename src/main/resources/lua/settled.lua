-- Takes a name off the list of filters to be settled, or puts it back to its end, unless it was put
-- there anew meanwhile.
--
-- KEYS[1] the sorted set of names to be settled
-- ARGV[1] name, ARGV[2] the score it had when its settling began
-- ARGV[3] Unix time in milliseconds to look at it again after, or '' to take it off
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
