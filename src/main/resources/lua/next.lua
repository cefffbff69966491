-- What is checked of the next generation of a filter, which a rebuild loads beside the live one.
-- Included by the other scripts, after guard.
--
-- guard_next(state, bits, generation)  generation nil: any generation is accepted
-- Returns  nil, {segmentBits=, ...}   as guard does: all is well
--          {'NO_REBUILD'}             there is none, or one of another generation
--          {'DAMAGED', 'nextState' | 'nextBits'}, {'WRONG_TYPE', 'nextState' | 'nextBits'}
--          {'MOVING', move}           see guard
--          {'FORMAT', format}
-- foreign_next(state, bits)  only {'WRONG_TYPE', ...} of these, else nil: whatever of a next
--                               generation may be dropped, what is not ours may not
-- set_of(state)  the set of later segments of a generation about to be dropped; {} for none
-- keep_set(segments, set)  has the list name them until they are freed: it may have lost its entry,
--                               as keys are evicted. To be called after a write, which Redis refuses
--                               to be the first where memory is exhausted
-- abandon_next(live, state, bits, segments)  drops the next generation; its later segments, if it
--                               has any, stay named in the list until they are freed
local function guard_next(state, bits, generation)
  local refused, segment = guard(state, bits, generation)
  if not refused then
    return nil, segment
  end
  if refused[1] == 'GONE' or refused[1] == 'STALE' then
    return {'NO_REBUILD'}
  end
  if refused[2] and refused[1] ~= 'FORMAT' and refused[1] ~= 'MOVING' then
    refused[2] = refused[2] == 'state' and 'nextState' or 'nextBits'
  end
  return refused
end

local function foreign_next(state, bits)
  local refused = guard_next(state, bits, nil)
  if refused and refused[1] == 'WRONG_TYPE' then
    return refused
  end
end

local function set_of(state)
  local stored = redis.call('HMGET', state, 'generation', 'segments')
  local incarnation = string.match(stored[1] or '', '^(%x+)%.')
  if incarnation and (tonumber(stored[2] or '') or 0) > 1 then
    return {incarnation, stored[2]}
  end
  return {}
end

local function keep_set(segments, set)
  if set[1] and redis.call('HEXISTS', segments, set[1]) == 0 then
    redis.call('HSET', segments, set[1], set[2])
  end
end

local function abandon_next(live, state, bits, segments)
  local dropped = set_of(state)
  -- Only if there is something: a script's first write is the one Redis refuses for want of memory.
  if redis.call('EXISTS', state, bits) > 0 then
    redis.call('UNLINK', state, bits)
  end
  if redis.call('HEXISTS', live, 'next') == 1 then
    redis.call('HDEL', live, 'next')
  end
  keep_set(segments, dropped)
  redis.call('PERSIST', segments)
end
