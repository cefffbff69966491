-- Opens a rebuild: makes the first segment of the generation that shall replace the live one.
--
-- From here on, adds go to both generations, because the live one names the next. With several
-- segments it names the next when all of them are made, see finish. Without a live filter the next
-- generation is that of a filter to come, hidden until it is committed.
--
-- KEYS[1] state, KEYS[2] bits of the live first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] source, not used
-- KEYS[7] config of an adopted bitmap, if it has one
-- ARGV[1] the live generation, or '' for a filter to come
-- ARGV[2] the next generation, ARGV[3] its incarnation, ARGV[4] its number of segments
-- ARGV[5] bits of one of its segments
-- ARGV[6] after how many milliseconds without a load the rebuild counts as abandoned
-- ARGV[7...] the fields of the next state: name, value, ...
-- Returns {'OK'}
--         {'IN_PROGRESS'}  a rebuild is open already
--         {'EXISTS'}       there is a filter, though it was to be one to come
--         {'NOT_READY'}    the live segments are still being made
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', 'state'},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard and next. A live bitmap or a config that is missing does not
--         matter: a rebuild is its remedy.
-- Complexity: O(bits of one segment). Writes.
-- include: guard
-- include: next
-- include: deadline
-- include: clock
local to_come = ARGV[1] == ''
local refused = guard(KEYS[1], KEYS[2], not to_come and ARGV[1] or nil, KEYS[7])
if to_come then
  if not refused or refused[1] == 'DAMAGED' or refused[1] == 'ELSEWHERE' then
    return {'EXISTS'}
  elseif refused[1] ~= 'GONE' then
    return refused
  end
elseif refused and not (refused[1] == 'DAMAGED' and refused[2] ~= 'state') then
  return refused
end
refused = guard_list(KEYS[3])
if refused then
  return refused
end
if redis.call('HGET', KEYS[1], 'pending') == 'create' then
  return {'NOT_READY'}
end
refused = guard_next(KEYS[4], KEYS[5], nil)
if not refused then
  return {'IN_PROGRESS'}
elseif refused[1] == 'WRONG_TYPE' then
  return refused
end
if redis.call('EXISTS', KEYS[4], KEYS[5]) > 0 then
  -- Half of one: it lost a key, and can neither be loaded nor committed.
  local dropped = set_of(KEYS[4])
  redis.call('UNLINK', KEYS[4], KEYS[5])
  keep_set(KEYS[3], dropped)
end

redis.call('SETBIT', KEYS[5], string.format('%.0f', tonumber(ARGV[5]) - 1), '0')
redis.call('HSET', KEYS[4], unpack(ARGV, 7))
redis.call('HSET', KEYS[4], 'received', '0', 'patience', ARGV[6],
  'abandonedAt', string.format('%.0f', now() + tonumber(ARGV[6])))
if not to_come then
  -- One filter, one fate: what is next vanishes with what is live.
  local left = redis.call('PTTL', KEYS[1])
  if left >= 0 then
    redis.call('PEXPIRE', KEYS[4], string.format('%.0f', left))
    redis.call('PEXPIRE', KEYS[5], string.format('%.0f', left))
  end
  local expires_at = redis.call('HGET', KEYS[1], 'expiresAt')
  if expires_at then
    redis.call('HSET', KEYS[4], 'expiresAt', expires_at)
  end
  redis.call('HDEL', KEYS[1], 'next')
end
if tonumber(ARGV[4]) > 1 then
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
elseif not to_come then
  redis.call('HSET', KEYS[1], 'next', ARGV[2])
end
redis.call('PERSIST', KEYS[3])
return {'OK'}
