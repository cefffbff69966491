-- Gives a filter a source, or replaces or removes its source. A run of the old one loses its claim. If the definition
-- is the same, nothing changes.
--
-- KEYS[1] state, KEYS[2] source
-- ARGV[1] time of the next run in Unix milliseconds, '' for none; then names and values of the fields that define it;
--         nothing to remove it
-- Returns {'OK'}
--         {'GONE'}, {'NONE'}  there is no filter, or it has no source to remove
--         {'WRONG_TYPE'}      a key holds another type
-- Complexity: O(1). Writes.
-- include: typed
-- include: expiry
-- include: source
local refused = check_filter(#ARGV == 0)
if refused then
  return refused
elseif #ARGV == 0 then
  redis.call('HDEL', KEYS[1], 'source')
  redis.call('UNLINK', KEYS[2])
  return {'OK'}
end
local is_new, names = check_filter(true) ~= nil, {nextRunAt = true}
for i = 2, #ARGV, 2 do
  names[ARGV[i]] = true
  is_new = is_new or redis.call('HGET', KEYS[2], ARGV[i]) ~= ARGV[i + 1]
end
if not is_new then
  return {'OK'}
end
local former = redis.call('HGETALL', KEYS[2])
redis.call('HSET', KEYS[2], 'nextRunAt', unpack(ARGV))
for i = 1, #former, 2 do
  if not names[former[i]] then
    redis.call('HDEL', KEYS[2], former[i])
  end
end
set_expiry(KEYS[2], redis.call('HGET', KEYS[1], 'expiresAt'))
redis.call('HSET', KEYS[1], 'source', '1')
return {'OK'}
