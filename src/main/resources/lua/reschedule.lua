-- Moves the next run of a source.
--
-- KEYS[1] state, KEYS[2] source
-- ARGV[1] the time of the next run that the caller has read, ARGV[2] the new one, in Unix milliseconds
-- Returns {'OK'}
--         {'CHANGED'}         it has another time, or a run has the claim; nothing was changed
--         {'GONE'}, {'NONE'}  there is no filter, or it has no source
--         {'WRONG_TYPE'}      a key holds another type
--         {'DAMAGED'}  the expiry of the filter is malformed; nothing was changed
-- Complexity: O(1). Writes.
-- include: typed
-- include: source
local refused = check_filter(true)
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[2], 'run', 'nextRunAt')
if (stored[1] or '') ~= '' or stored[2] ~= ARGV[1] then
  return {'CHANGED'}
end
redis.call('HSET', KEYS[2], 'nextRunAt', ARGV[2])
return {'OK'}
