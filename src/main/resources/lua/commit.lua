-- Commits a rebuild: the next generation takes the place of the live one, in one step for every
-- reader and writer, whatever the number of segments. Later segments bear their incarnation and
-- stay where they are.
--
-- Where one Redis has all keys, the same step looks at the later segments and gives them the deadline,
-- frees those of the generation that was live, enters the name in the catalogue, counts what it takes,
-- and notes it if anything is left to be done. Elsewhere all that is done around this, in steps.
--
-- KEYS[1] state, KEYS[2] bits of the live first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] source, which the filter keeps
-- KEYS[7] config of an adopted bitmap, if it has one
-- Then, where one Redis has all: state and bits of later segments of the next generation, then of the live
-- one; at last catalogue, names to be reconciled, and those of usage
-- ARGV[1] the next generation
-- ARGV[2] how many elements must have been loaded at least; '0' to commit though nothing was
-- ARGV[3] new deadline in Unix milliseconds, '0' for none, '' to keep the filter's
-- ARGV[4] name, ARGV[5] its segments and ARGV[6] the bytes it takes, as the caller knows them
-- Where one Redis has all: ARGV[7] of how many later segments of the next generation there are keys,
-- ARGV[8] the incarnation of which the others are, '' if there are none; ARGV[9...] k of each of the former
-- Returns {'OK', noted, {field, value, ...}, {field, value, ...}, bitsSet, insertions, ...}
--         the score of the note, '' without; the state, see clock; the source, empty if there is none
--         that can be read; what its later segments count, empty if that is not known
--         {'LOST', i, refusal}  its later segment i is not there, or not whole: see guard; nothing was changed
--         {'TOO_FEW', loaded}  so few elements were loaded; nothing was changed
--         {'NOT_READY'}  its segments are still being made
--         {'MOVING', move}  see guard
--         {'NO_REBUILD'}, {'DAMAGED', key}, {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard and
--         next. A live filter that is damaged does not matter: it is replaced.
-- Complexity: O(segments + length of the name + log of names), freeing in the background. Writes.
-- include: guard
-- include: next
-- include: deadline
-- include: clock
-- include: note
-- include: freed
-- include: usage
local at_once = #ARGV > 6
-- A filter with a companion has one segment.
local config = (#KEYS == 7 or #KEYS == 12) and KEYS[7] or nil
local lists = at_once and #KEYS - 5 or #KEYS
local refused, segment = guard_next(KEYS[4], KEYS[5], ARGV[1])
if refused then
  return refused
end
local later_keys, freed_keys = {}, {}
for i = 7, config and 0 or lists do
  local to = i < 7 + 2 * tonumber(ARGV[7]) and later_keys or freed_keys
  to[#to + 1] = KEYS[i]
end
local counts = {}
for i = 1, #later_keys, 2 do
  local lost, later = guard(later_keys[i], later_keys[i + 1], ARGV[1], nil, ARGV[9 + (i - 1) / 2])
  if lost then
    return {'LOST', (i + 1) / 2, lost}
  end
  -- What is only journaled, or told by more fields, has to be looked up.
  if counts and later.folded == later.tip and not later.window and not later.counting then
    counts[i], counts[i + 1] = string.format('%.0f', later.bitsSet), string.format('%.0f', later.insertions)
  else
    counts = nil
  end
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
  noted = note(KEYS[lists + 2], ARGV[4], now())
  redis.call('ZADD', KEYS[lists + 1], '0', ARGV[4])
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
    local revision = redis.call('HINCRBY', KEYS[1], 'revision', '1')
    if tonumber(following[4]) == #later_keys / 2 + 1 then
      for i = 1, #later_keys, 2 do
        redis.call('HSET', later_keys[i], 'revision', string.format('%.0f', revision))
        set_deadline(deadline, later_keys[i], later_keys[i + 1])
      end
    else
      redis.call('HSET', KEYS[1], 'pending', 'expire')
    end
  end
end
set_deadline(deadline, KEYS[1], KEYS[2], KEYS[6], config)
-- It names the segments to be freed now.
keep_set(KEYS[3], dropped)
redis.call('PERSIST', KEYS[3])
if dropped[1] and dropped[1] == ARGV[8] and tonumber(dropped[2]) == #freed_keys / 2 + 1 then
  for i = 1, #freed_keys, 2 do
    free(freed_keys[i], freed_keys[i + 1])
  end
  redis.call('HDEL', KEYS[3], dropped[1])
end
local source = redis.pcall('HGETALL', KEYS[6])
local done = {'OK', '', fields_of(KEYS[1], segment.window), source.err and {} or source}
for _, count in ipairs(counts or {}) do
  done[#done + 1] = count
end
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
  redis.call('ZREM', KEYS[lists + 2], ARGV[4])
  set_deadline(deadline, KEYS[3])
end
return done
