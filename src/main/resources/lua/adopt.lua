-- Makes a filter of the bitmap that another library keeps under a key of its own, or of a new one
-- that the library can open. The key is there from now on, so that a lost one shows.
--
-- KEYS[1] state, KEYS[2] the library's bitmap, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment, KEYS[6] source
-- KEYS[7] bits of the filter if it had adopted nothing, which must not be there
-- KEYS[8] config, if the library has one: see guard
-- ARGV[1] bits of the bitmap, ARGV[2] number of hash functions
-- ARGV[3] deadline in Unix milliseconds, '' for the one the library's keys have
-- ARGV[4] expected insertions, ARGV[5] false-positive probability, for a config that is written
-- ARGV[6...] the fields of the state: name, value, ...
-- Returns {'CREATED'}
--         {'EXISTS'}  there is a filter of this name, or part of one; nothing was changed
--         {'MISMATCH', 'bits' | 'config' | 'counter' | 'noConfig' | 'noBits'}  the string is longer
--         than so many bits; the config has another shape, or is no plain number; it is missing
--         beside a bitmap, or counts elements of one that is missing; nothing was changed
--         {'WRONG_TYPE', key}  see guard and next; nothing was changed
-- Complexity: O(1). Writes.
-- include: guard
-- include: next
-- include: deadline
-- include: clock
local state, bits, config = KEYS[1], KEYS[2], KEYS[8]
if redis.call('EXISTS', state, KEYS[7]) > 0 then
  return {'EXISTS'}
end
local refused = guard_list(KEYS[3]) or foreign_next(KEYS[4], KEYS[5])
if refused then
  return refused
end
local length = redis.pcall('STRLEN', bits)
if type(length) == 'table' then
  return refusal(length, 'bits')
end
if length > math.ceil(tonumber(ARGV[1]) / 8) then
  return {'MISMATCH', 'bits'}
end
local is_configured, counts = false, config and is_counter(config)
if counts then
  local unusable, count = count_of(config)
  if unusable then
    return unusable
  end
  is_configured = count ~= nil
  if not is_configured and length > 0 then
    return {'MISMATCH', 'noConfig'}
  elseif is_configured and count > 0 and length == 0 then
    return {'MISMATCH', 'noBits'}
  end
elseif config then
  local stored = redis.pcall('HMGET', config, 'size', 'hashIterations')
  if stored.err then
    return refusal(stored, 'config')
  end
  is_configured = redis.call('EXISTS', config) == 1
  if is_configured and (stored[1] ~= ARGV[1] or stored[2] ~= ARGV[2]) then
    return {'MISMATCH', 'config'}
  elseif not is_configured and length > 0 then
    return {'MISMATCH', 'noConfig'}
  end
end

-- A script's first write is the one Redis refuses for want of memory.
if length == 0 then
  redis.call('SETBIT', bits, '0', '0')
end
redis.call('HSET', state, unpack(ARGV, 6))
if counts and not is_configured then
  redis.call('SET', config, '0')
elseif config and not is_configured then
  redis.call('HSET', config, 'size', ARGV[1], 'hashIterations', ARGV[2],
    'expectedInsertions', ARGV[4], 'falseProbability', ARGV[5])
end
if redis.call('EXISTS', KEYS[4], KEYS[5], KEYS[6]) > 0 then
  local dropped = set_of(KEYS[4])
  redis.call('UNLINK', KEYS[4], KEYS[5], KEYS[6])
  keep_set(KEYS[3], dropped)
end
local deadline = ARGV[3]
if deadline == '' then
  -- Both vanish together, though the library may have dated one before the other was there.
  deadline = earliest_deadline(now(), '0', bits, config)
end
if deadline ~= '0' then
  redis.call('HSET', state, 'expiresAt', deadline)
  set_deadline(deadline, state, bits)
  if config then
    set_deadline(deadline, config)
  end
end
-- It may name segments of a filter that was lost, and must outlive them.
redis.call('PERSIST', KEYS[3])
return {'CREATED'}
