-- Claims the next run of a source, for one instance of the service at a time. The claim is a lease:
-- a run that does not renew it has died, and the next that asks takes it over.
--
-- KEYS[1] state of the filter, KEYS[2] source
-- ARGV[1] the run that claims, ARGV[2] the lease in milliseconds
-- ARGV[3] '1' to run now, '0' only if it is due or another run of it has died
-- Returns {'CLAIMED', now, {field, value, ...}}  the fields as they were before; now: Unix time in
--                              milliseconds
--         {'RUNNING', until}   a run of it lives, at least until then unless it renews
--         {'NOT_DUE', at}      it is due at that time; '' if never by itself
--         {'MOVING', move}  see source
--         {'GONE'}, {'NONE'}, {'WRONG_TYPE', key}: see source
-- Complexity: O(1). Writes.
-- include: source
-- include: clock
local refused = guard_source(KEYS[1], KEYS[2])
if refused then
  return refused
end
local at = now()
local stored = redis.call('HMGET', KEYS[2], 'run', 'leasedUntil', 'nextRunAt', 'attempt')
local died = stored[1] and true or false
if died and at < (tonumber(stored[2]) or 0) then
  return {'RUNNING', stored[2]}
end
if ARGV[3] ~= '1' and not died and at < (tonumber(stored[3]) or math.huge) then
  return {'NOT_DUE', stored[3] or ''}
end
local fields = redis.call('HGETALL', KEYS[2])
redis.call('HSET', KEYS[2],
  'run', ARGV[1],
  'runStartedAt', string.format('%.0f', at),
  'leasedUntil', string.format('%.0f', at + tonumber(ARGV[2])),
  'attempt', string.format('%.0f', died and (tonumber(stored[4]) or 0) + 1 or 1))
redis.call('HDEL', KEYS[2], 'rebuild')
return {'CLAIMED', at, fields}
