-- Records how a run ended, and when the source is read next.
--
-- KEYS[1] state, KEYS[2] source
-- ARGV[1] the run, ARGV[2] time of the next run in Unix milliseconds, '' for none
-- ARGV[3...] names and values of the fields of the outcome
-- Returns {'OK'}
--         {'LOST'}            the run does not have the claim any more; nothing was recorded
--         {'GONE'}, {'NONE'}  there is no filter, or it has no source
--         {'WRONG_TYPE'}      a key holds another type
-- Complexity: O(1). Writes.
-- include: typed
-- include: source
local refused = check_filter(true)
if refused then
  return refused
elseif redis.call('HGET', KEYS[2], 'run') ~= ARGV[1] then
  return {'LOST'}
end
-- One command, so that no crash leaves half of it.
redis.call('HSET', KEYS[2], 'run', '', 'runStartedAt', '', 'leasedUntil', '', 'attempt', '', 'rebuild', '', 'nextRunAt',
  unpack(ARGV, 2))
return {'OK'}
