-- Commits a rebuild: the next generation takes the place of the live one, in one step for every
-- reader and writer, whatever the number of segments. Later segments bear their incarnation and
-- stay where they are; those of the generation that was live are freed afterwards.
--
-- Where one Redis has all keys, the same step enters the name in the catalogue, counts what it takes,
-- and notes it, or strikes it off if nothing has to follow.
--
-- KEYS[1] state, KEYS[2] bits of the live first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] source, which the filter keeps
-- KEYS[7] config of an adopted bitmap, if it has one
-- The last five, where one Redis has all: catalogue, names to be reconciled, and those of usage
-- ARGV[1] the next generation
-- ARGV[2] how many elements must have been loaded at least; '0' to commit though nothing was
-- ARGV[3] new deadline in Unix milliseconds, '0' for none, '' to keep the filter's
-- ARGV[4] name, ARGV[5] its segments and ARGV[6] the bytes it takes, as the caller knows them
-- Returns {'OK', noted, {field, value, ...}, {field, value, ...}}
--         the score of the note, '' without; the state, see clock; the source, empty if there is none
--         that can be read
--         {'TOO_FEW', loaded}  so few elements were loaded; nothing was changed
--         {'NOT_READY'}  its segments are still being made
--         {'MOVING', move}  see guard
--         {'NO_REBUILD'}, {'DAMAGED', key}, {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard and
--         next. A live filter that is damaged does not matter: it is replaced.
-- Complexity: O(length of the name + log of names), freeing in the background. Writes.
-- include: guard
-- include: next
-- include: deadline
-- include: clock
-- include: note
-- include: usage
local at_once = #KEYS > 7
local config = (#KEYS == 7 or #KEYS == 12) and KEYS[7] or nil
local refused, segment = guard_next(KEYS[4], KEYS[5], ARGV[1])
if refused then
  return refused
end
local own = is_own(KEYS[2])
local live = guard(KEYS[1], KEYS[2], nil, config)
if live and live[1] == 'GONE' and not own then
  -- The filter was lost, but not what the library has there.
  local shape = redis.call('HMGET', KEYS[4], 'segmentBits', 'numHashFunctions')
  live = guard_adopted(KEYS[2], config, shape[1], shape[2])
end
if live and (live[1] == 'WRONG_TYPE' or live[1] == 'MISMATCH' or live[1] == 'MOVING') then
  return live
elseif live and live[1] == 'ELSEWHERE' then
  return {'NO_REBUILD'}
end
refused = guard_list(KEYS[3])
if refused then
  return refused
end
local following = redis.call('HMGET', KEYS[4], 'pending', 'received', 'expiresAt', 'segments', 'layers')
if following[1] then
  return {'NOT_READY'}
end
if (tonumber(following[2]) or 0) < tonumber(ARGV[2]) then
  return {'TOO_FEW', tonumber(following[2]) or 0}
end
local replaced = redis.call('HMGET', KEYS[1], 'next', 'createdAt')
if redis.call('EXISTS', KEYS[1]) == 1 and replaced[1] ~= ARGV[1] then
  -- The adds to this filter went nowhere else: it is not the one the rebuild was opened for.
  return {'NO_REBUILD'}
end
local deadline = ARGV[3] ~= '' and ARGV[3] or following[3] or '0'
if ARGV[3] == '' and not own then
  -- The library may have given its keys one since.
  deadline = earliest_deadline(now(), deadline, KEYS[2], config)
end

local noted
if at_once then
  noted = note(KEYS[#KEYS - 3], ARGV[4], now())
  redis.call('ZADD', KEYS[#KEYS - 4], '0', ARGV[4])
end
-- What is live is overwritten, not removed first: while its slot is handed over a node of a cluster
-- lets nobody make a key again.
if redis.call('EXISTS', KEYS[1], KEYS[2]) == 0 and redis.call('EXISTS', KEYS[6]) > 0 then
  -- It belonged to a filter that was lost.
  redis.call('UNLINK', KEYS[6])
end
local dropped = set_of(KEYS[1])
redis.call('RENAME', KEYS[4], KEYS[1])
redis.call('RENAME', KEYS[5], KEYS[2])
redis.call('HDEL', KEYS[1], 'received', 'patience', 'abandonedAt')
if not own then
  redis.call('HDEL', KEYS[1], 'nextRedisKey', 'nextConfigKey')
  redis.call('HSET', KEYS[1], 'redisKey', KEYS[2])
end
if config then
  redis.call('HSET', KEYS[1], 'configKey', config)
  if is_counter(config) then
    redis.call('SET', config, redis.call('HGET', KEYS[1], 'insertions'))
  elseif not redis.call('HGET', config, 'size') or not redis.call('HGET', config, 'hashIterations') then
    local shape = redis.call('HMGET', KEYS[1], 'segmentBits', 'numHashFunctions',
      'expectedInsertions', 'falsePositiveProbability')
    redis.call('HSET', config, 'size', shape[1], 'hashIterations', shape[2],
      'expectedInsertions', shape[3], 'falseProbability', shape[4])
  end
end
if replaced[2] then
  redis.call('HSET', KEYS[1], 'createdAt', replaced[2])
end
if deadline == '0' then
  redis.call('HDEL', KEYS[1], 'expiresAt')
else
  redis.call('HSET', KEYS[1], 'expiresAt', deadline)
  if following[4] ~= '1' then
    -- Its later segments have no deadline yet, so they do not vanish before the first.
    redis.call('HINCRBY', KEYS[1], 'revision', '1')
    redis.call('HSET', KEYS[1], 'pending', 'expire')
  end
end
set_deadline(deadline, KEYS[1], KEYS[2], KEYS[6], config)
-- It names the segments to be freed now.
keep_set(KEYS[3], dropped)
redis.call('PERSIST', KEYS[3])
local source = redis.pcall('HGETALL', KEYS[6])
local done = {'OK', '', fields_of(KEYS[1], segment.window), source.err and {} or source}
if not at_once then
  return done
end

local is_planned = redis.call('HEXISTS', KEYS[1], 'layer:' .. (following[5] or '')) == 1
if following[4] == ARGV[5] and not is_planned then
  -- It is committed, whatever is wrong with these keys: then it is counted later. Likewise where it
  -- grows just now.
  pcall(look, ARGV[4], ARGV[6], now())
end
local own_set = redis.call('HEXISTS', KEYS[3], string.match(ARGV[1], '^[^.]*'))
if is_planned or redis.call('HLEN', KEYS[3]) > own_set or redis.call('HEXISTS', KEYS[1], 'pending') == 1 then
  done[2] = string.format('%.0f', noted)
else
  redis.call('ZREM', KEYS[#KEYS - 3], ARGV[4])
end
return done
