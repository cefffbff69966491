-- What every script checks before it touches a bit: both keys of the segment are there, of the
-- right types and complete, and they hold the generation the caller worked out its positions for.
-- Included by the other scripts; not a script of its own.
--
-- guard(state, bits, generation)  generation nil: any generation is accepted
-- Returns  nil, {segmentBits=, bitsSet=, insertions=, maxInsertions=, next=}   all is well; next is
--                                  the generation that an open rebuild loads, or ''
--          {'GONE'}                 neither key exists
--          {'STALE', generation}    the segment holds this other generation
--          {'DAMAGED', 'state' | 'bits'}     that key is missing, incomplete or of a wrong length
--          {'WRONG_TYPE', 'state' | 'bits'}  that key holds another type
-- guard_list(segments)  the list of segment sets, which may be missing
-- Returns  nil                         all is well
--          {'WRONG_TYPE', 'segments'}  it holds another type
-- Complexity: O(1)
local function refusal(reply, key)
  if string.find(reply.err, 'WRONGTYPE', 1, true) then
    return {'WRONG_TYPE', key}
  end
  return reply
end

local function guard(state, bits, generation)
  local stored = redis.pcall(
    'HMGET', state, 'generation', 'segmentBits', 'bitsSet', 'insertions', 'maxInsertions', 'next')
  if stored.err then
    return refusal(stored, 'state')
  end
  local length = redis.pcall('STRLEN', bits)
  if type(length) == 'table' then
    return refusal(length, 'bits')
  end
  if not stored[1] then
    if length > 0 or redis.call('EXISTS', state, bits) > 0 then
      return {'DAMAGED', 'state'}
    end
    return {'GONE'}
  end
  if generation and stored[1] ~= generation then
    return {'STALE', stored[1]}
  end
  local segment = {
    segmentBits = tonumber(stored[2]),
    bitsSet = tonumber(stored[3]),
    insertions = tonumber(stored[4]),
    maxInsertions = tonumber(stored[5]),
    next = stored[6] or ''
  }
  if not (segment.segmentBits and segment.bitsSet and segment.insertions
      and segment.maxInsertions) then
    return {'DAMAGED', 'state'}
  end
  if length ~= math.ceil(segment.segmentBits / 8) then
    return {'DAMAGED', 'bits'}
  end
  return nil, segment
end

local function guard_list(segments)
  local length = redis.pcall('HLEN', segments)
  if type(length) == 'table' then
    return refusal(length, 'segments')
  end
end
