-- Gives a filter a source, in place of one it may have. A run of the one before ends without effect,
-- as it is not the one the source is read by any more. The same source again changes nothing.
--
-- KEYS[1] state of the filter, KEYS[2] source
-- ARGV[1] when it is read next, Unix time in milliseconds, or '' for not by itself
-- ARGV[2...] the fields that define it: name, value, ...
-- Returns {'OK'}
--         {'MOVING', move}  see source
--         {'GONE'}, {'WRONG_TYPE', key}: see source
-- Complexity: O(1). Writes.
-- include: source
local refused = guard_source(KEYS[1], KEYS[2])
if refused and refused[1] ~= 'NONE' then
  return refused
end
local same = not refused
for i = 2, #ARGV, 2 do
  same = same and redis.call('HGET', KEYS[2], ARGV[i]) == ARGV[i + 1]
end
if same then
  return {'OK'}
end
-- Not by removing the key: while its slot is handed over a node of a cluster lets nobody make it again.
local new = {}
for i = 2, #ARGV, 2 do
  new[ARGV[i]] = true
end
local old = redis.call('HGETALL', KEYS[2])
redis.call('HSET', KEYS[2], unpack(ARGV, 2))
for i = 1, #old, 2 do
  if not new[old[i]] then
    redis.call('HDEL', KEYS[2], old[i])
  end
end
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[2], 'nextRunAt', ARGV[1])
end
-- One filter, one fate: the source vanishes with it.
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then
  redis.call('PEXPIRE', KEYS[2], string.format('%.0f', left))
end
return {'OK'}
