-- Gives a filter a source, or replaces or removes its source. A run of the old one loses its claim. If the definition
-- is the same, nothing changes.
--
-- KEYS[1] state, KEYS[2] source
-- ARGV[1] the definition of the source, '' to remove it; ARGV[2] time of the next run in Unix milliseconds, '' for none
-- Returns {'OK'}
--         {'GONE'}, {'NONE'}  there is no filter, or it has no source to remove
--         {'WRONG_TYPE'}      a key holds another type
--         {'DAMAGED'}  the expiry of the filter is malformed; nothing was changed
-- Complexity: O(1). Writes.
-- include: typed
-- include: expiry
-- include: source
local refused = check_filter(ARGV[1] == '')
if refused then
  return refused
elseif ARGV[1] == '' then
  redis.call('HDEL', KEYS[1], 'source')
  redis.call('UNLINK', KEYS[2])
  return {'OK'}
elseif not check_filter(true) and redis.call('HGET', KEYS[2], 'source') == ARGV[1] then
  return {'OK'}
end
local former = redis.call('HGETALL', KEYS[2])
redis.call('HSET', KEYS[2], 'source', ARGV[1], 'nextRunAt', ARGV[2])
for i = 1, #former, 2 do
  if former[i] ~= 'source' and former[i] ~= 'nextRunAt' then
    redis.call('HDEL', KEYS[2], former[i])
  end
end
set_expiry(KEYS[2], redis.call('HGET', KEYS[1], 'expiresAt'))
redis.call('HSET', KEYS[1], 'source', '1')
return {'OK'}
