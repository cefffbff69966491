-- Takes a name off the list of filters to be reconciled, or leaves it there to be looked at again.
--
-- It is not taken off if it was put there again meanwhile. It is left there in any case: somebody
-- else may have taken it off, or be about to, who looked before there was a reason to leave it.
--
-- KEYS[1] the sorted set of names to be reconciled
-- ARGV[1] name, ARGV[2] the score it had when its reconciling began
-- ARGV[3] Unix time in milliseconds to look at it again after, or '' to take it off
-- Returns {'OK'}
-- Complexity: O(log of names in the set). Writes.
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
local is_others = score and tonumber(score) ~= tonumber(ARGV[2])
if ARGV[3] ~= '' then
  -- With another score, so that nobody takes it off who noted it before.
  local again = is_others and string.format('%.0f', tonumber(score) + 1) or ARGV[3]
  redis.call('ZADD', KEYS[1], again, ARGV[1])
elseif score and not is_others then
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return {'OK'}
