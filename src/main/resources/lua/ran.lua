-- Records how a run ended, and when the next one is due.
--
-- KEYS[1] state of the filter, KEYS[2] source
-- ARGV[1] the run
-- ARGV[2] when the source is read next, Unix time in milliseconds, or '' for not by itself
-- ARGV[3...] the fields of the outcome: name, value, ...
-- Returns {'OK'}
--         {'LOST'}  another run has taken over, or the source was replaced; nothing was recorded
--         {'MOVING', move}  see source
--         {'GONE'}, {'NONE'}, {'WRONG_TYPE', key}: see source
-- Complexity: O(1). Writes.
-- include: source
local refused = guard_source(KEYS[1], KEYS[2])
if refused then
  return refused
end
if not holds_run(KEYS[2], ARGV[1]) then
  return {'LOST'}
end
redis.call('HDEL', KEYS[2], 'run', 'runStartedAt', 'leasedUntil', 'attempt', 'rebuild',
  'nextRunAt')
redis.call('HSET', KEYS[2], unpack(ARGV, 3))
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[2], 'nextRunAt', ARGV[2])
end
return {'OK'}
