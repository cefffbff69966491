-- What every script checks before it touches a bit: both keys of the segment are there, of the
-- right types and complete, and they hold the generation the caller worked out its positions for.
-- Included by the other scripts; not a script of its own.
--
-- A filter may have adopted the bitmap that another library keeps under a key of its own. Then bits
-- is that key. The library lets its string grow as bits are set, sets bits without our state, and
-- may have a companion beside it, config: a hash with the shape, or a counter of the elements that
-- changed a bit, of which the key ends in ':c'. Then its insertions are those of the counter.
--
-- guard(state, bits, generation, config, k)  generation nil: any generation is accepted; config nil:
--                                  the filter has no companion; k, as text, nil: any number of hash
--                                  functions is accepted, as of a later segment in any case
-- Returns  nil, {segmentBits=, bitsSet=, insertions=, maxInsertions=, next=, counted=,
--                                  mark=, adopted=, base=, folded=, tip=, window=, counting=}
--                                  all is well; next is the generation that an open rebuild loads,
--                                  or ''; of an adopted bitmap nobody counts bitsSet
--          {'GONE'}                 neither key exists
--          {'STALE', generation}    the segment holds this other generation
--          {'FORMAT', format}       only with a generation: it is of this other layout by now
--          {'DAMAGED', 'state' | 'bits' | 'config'}  that key is missing, incomplete or of a wrong
--                                  length, or the state has another k; then no key is of another
--                                  type or another filter's. A journal longer than the state says
--                                  may be none, see uncounted; then the state is mended, the one
--                                  write of this
--          {'WRONG_TYPE', 'state' | 'bits' | 'config'}  that key holds another type
--          {'MISMATCH', 'bits' | 'config' | 'counter'}  the adopted bitmap is longer than the
--                                  filter's shape allows, its config has another shape, or its
--                                  counter is no plain number
--          {'MOVING', move}         the filter is on its way to another slot, see move-fence: whoever
--                                  comes waits until that is done or undone
--          {'ELSEWHERE', key, config}  only without a generation: the filter's bits are under this
--                                  key, '' for its own, with this config, '' for none
-- guard_keys(generation, k)         the segment of KEYS[1] and KEYS[2], for a call on it alone. KEYS[3]
--                                  is its companion, if it has one. Of a later segment KEYS[3] and
--                                  KEYS[4] may be those of the filter's first one, which knows whether
--                                  the filter is still this one and what a rebuild loads: next is its
-- guard_first(state, bits, generation)  what a call on a later segment must know of the first one: that
--                                  it is there and the filter still this one. Whether it is whole is
--                                  for calls on it to tell
-- Returns  nil, next               as of guard
--          {'STALE', generation}   the filter is gone, then '', or another
--          {'MOVING', move}, {'DAMAGED', 'firstState' | 'firstBits'}, {'WRONG_TYPE', the same}
-- version(segment)  which content the bitmap of a segment holds, within its generation: how many bits
--                   are set, as its counted tells, and the random mark that the last change left, of
--                   the bitmap or of its journal. So two histories never share one, but for that of
--                   no bit. '' if it is not known: of an adopted bitmap, and where nothing was changed
--                   since there are marks
-- guard_adopted(bits, config, segment_bits, k)  what is under a library's keys, for a shape as it is
--                                  stored; false where that is not known
-- Returns  nil, count              it may be of this shape; count: what its counter says, nil without
--          {'WRONG_TYPE', key}, {'MISMATCH', key}, {'DAMAGED', key}: as above
-- is_counter(config)    whether it is a counter
-- count_of(counter)     what it counts; nil if there is no counter
-- Returns  nil, number
--          {'WRONG_TYPE', 'config'}, {'MISMATCH', 'counter'}
-- block_bytes(count, k, by_time, counting)  how many bytes a block of a journal has between its first two,
--                                  which are count, and its mark; how many entries. See journal. nil: none
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

local function is_own(bits)
  return string.sub(bits, 1, 7) == 'bloom:{'
end

local function is_counter(config)
  return string.sub(config, -2) == ':c'
end

local function count_of(counter)
  local stored = redis.pcall('GET', counter)
  if type(stored) == 'table' then
    return refusal(stored, 'config')
  elseif not stored then
    return nil, nil
  end
  -- Others INCRBY refuses, and more digits a number of Lua does not hold.
  if not string.find(stored, '^[1-9]%d*$') and stored ~= '0' or #stored > 15 then
    return {'MISMATCH', 'counter'}
  end
  return nil, tonumber(stored)
end

local function guard_config(config, segment_bits, k)
  local stored = redis.pcall('HMGET', config, 'size', 'hashIterations')
  if stored.err then
    return refusal(stored, 'config')
  end
  if not (stored[1] and stored[2]) then
    return {'DAMAGED', 'config'}
  end
  if (segment_bits and stored[1] ~= segment_bits) or (k and stored[2] ~= k) then
    return {'MISMATCH', 'config'}
  end
end

local function guard_adopted(bits, config, segment_bits, k)
  local length = redis.pcall('STRLEN', bits)
  if type(length) == 'table' then
    return refusal(length, 'bits')
  end
  local most = tonumber(segment_bits)
  if most and length > math.ceil(most / 8) then
    return {'MISMATCH', 'bits'}
  end
  if config and is_counter(config) then
    local refused, count = count_of(config)
    if refused then
      return refused
    elseif not count and length > 0 then
      return {'DAMAGED', 'config'}
    end
    -- The library empties a filter by an empty string, and counts from 0 again.
    if length == 0 and not (count == 0 and redis.call('EXISTS', bits) == 1) then
      return {'DAMAGED', 'bits'}
    end
    return nil, count
  end
  -- Before a bitmap that is missing: the library may have begun another filter, with no bit set.
  local refused = config and guard_config(config, segment_bits, k)
  if refused then
    return refused
  end
  if length == 0 then
    return {'DAMAGED', 'bits'}
  end
end

local function block_bytes(count, k, by_time, counting)
  if count == 32768 and by_time then
    return 8, 0
  elseif count > 16384 and counting then
    count = count - 16384
  end
  if count > 0 then
    return 3 * k * count, count
  end
end

-- A Redis that was killed while it wrote a script's changes to its append-only file drops them, but keeps
-- that they began: a later start makes what is there of them, before what was written since. So a journal may
-- have blocks that the state does not count. They were never acknowledged and may stay, where the segment has
-- room for all of their elements; with those after them they reach to the end of the string. But a removal may
-- not: it could take out what was added since.
-- See https://github.com/valkey-io/valkey/pull/4342
-- Returns how many bytes of blocks there are from a place in the string on, and the mark of the last; nil if
-- they are no whole blocks, or some remove, or they have more elements than there is room for
local function uncounted(bits, first, k, by_time, counting, room)
  local journal = redis.call('GETRANGE', bits, string.format('%.0f', first), '-1')
  local at, last = 0, #journal - 18
  while at <= last do
    local high, low = string.byte(journal, at + 1, at + 2)
    local count = 256 * high + low
    local bytes, entries = block_bytes(count, k, by_time, counting)
    if not bytes or entries < count and counting then
      return nil
    end
    at, room = at + bytes + 18, room - entries
  end
  if at == #journal and room >= 0 then
    return at, string.sub(journal, -16)
  end
end

local function guard(state, bits, generation, config, k)
  local stored = redis.pcall('HMGET', state, 'generation', 'segmentBits', 'bitsSet', 'insertions',
    'maxInsertions', 'next', 'numHashFunctions', 'mark', 'format', 'moving', 'base', 'folded', 'tip',
    'window', 'counting')
  if stored.err then
    return refusal(stored, 'state')
  end
  if stored[10] then
    return {'MOVING', stored[10]}
  end
  local own = is_own(bits)
  if not generation and stored[1] then
    local adopted = redis.call('HMGET', state, 'redisKey', 'configKey')
    if (adopted[1] or '') ~= (own and '' or bits) or (adopted[2] or '') ~= (config or '') then
      return {'ELSEWHERE', adopted[1] or '', adopted[2] or ''}
    end
  end
  local refused, counted
  local spare = 0
  local segment_bits = tonumber(stored[2])
  local base, folded, tip = tonumber(stored[11] or 0), tonumber(stored[12] or 0), tonumber(stored[13] or 0)
  if own then
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
    if not (base and folded and tip and base <= folded and folded <= tip) then
      return {'DAMAGED', 'state'}
    end
    -- Behind the snapshot comes the journal.
    spare = 8 * (length - (tip - base)) - (segment_bits or 0)
    refused = not (spare >= 0 and spare < 8) and {'DAMAGED', 'bits'}
  elseif not stored[1] then
    -- Whose key that is only the state can tell.
    return {'GONE'}
  end
  if generation and stored[1] ~= generation then
    return {'STALE', stored[1]}
  end
  if generation and stored[9] and stored[9] ~= '1' and stored[9] ~= '2' then
    return {'FORMAT', stored[9]}
  end
  local most = spare >= 8 and tonumber(stored[5])
  if most and segment_bits and (stored[7] or k) then
    local first, counting = math.ceil(segment_bits / 8), stored[15] == '1'
    local room = most > 0 and most - (tonumber(stored[4]) or most) or math.huge
    local entry = tonumber(stored[7] or k)
    local reached, mark = uncounted(bits, first + folded - base, entry, stored[14], counting, room)
    if not reached and not stored[14] and not counting and spare >= 8 * (18 + 3 * entry) then
      -- What was journaled after them is in the bitmap by now, so that it ends elsewhere. All can be replayed
      -- again, as bits that are set stay so.
      folded = base
      reached, mark = uncounted(bits, first, entry, stored[14], counting, room)
    end
    if reached then
      tip, stored[8], refused = folded + reached, mark, nil
      -- A replica and a full Redis refuse it, and it may be done later as well.
      redis.pcall('HSET', state, 'folded', string.format('%.0f', folded), 'tip', string.format('%.0f', tip),
        'mark', mark)
    end
  end
  if not own then
    refused, counted = guard_adopted(bits, config, stored[2], stored[7])
    if refused and refused[1] ~= 'DAMAGED' then
      return refused
    end
  end
  local segment = {
    segmentBits = segment_bits,
    bitsSet = tonumber(stored[3]),
    insertions = stored[4] and counted or tonumber(stored[4]),
    maxInsertions = tonumber(stored[5]),
    next = stored[6] or '',
    counted = stored[3],
    mark = stored[8] or '',
    adopted = not own,
    base = base,
    folded = folded,
    tip = tip,
    window = stored[14],
    counting = stored[15] == '1'
  }
  if not (segment.segmentBits and segment.bitsSet and segment.insertions
      and segment.maxInsertions) or (k and stored[7] and stored[7] ~= k)
      or (stored[9] == '2' and not segment.window and not segment.counting) then
    return {'DAMAGED', 'state'}
  end
  if refused then
    return refused
  end
  return nil, segment
end

local function guard_first(state, bits, generation)
  local stored = redis.pcall('HMGET', state, 'generation', 'moving', 'next')
  if stored.err then
    return refusal(stored, 'firstState')
  end
  if stored[2] then
    return {'MOVING', stored[2]}
  end
  local length = redis.pcall('STRLEN', bits)
  if type(length) == 'table' then
    return refusal(length, 'firstBits')
  end
  if not stored[1] and (length > 0 or redis.call('EXISTS', state) > 0) then
    return {'DAMAGED', 'firstState'}
  end
  if stored[1] ~= generation then
    return {'STALE', stored[1] or ''}
  end
  if length == 0 then
    return {'DAMAGED', 'firstBits'}
  end
  return nil, stored[3] or ''
end

local function guard_keys(generation, k)
  local is_later = KEYS[4] ~= nil
  local refused, segment = guard(KEYS[1], KEYS[2], generation, not is_later and KEYS[3] or nil, k)
  if refused or not is_later then
    return refused, segment
  end
  refused, segment.next = guard_first(KEYS[3], KEYS[4], generation)
  return refused, segment
end

local function version(segment)
  if segment.adopted then
    return ''
  elseif segment.counted == '0' then
    return '0'
  end
  return segment.mark ~= '' and segment.counted .. ':' .. segment.mark or ''
end

local function guard_list(segments)
  local length = redis.pcall('HLEN', segments)
  if type(length) == 'table' then
    return refusal(length, 'segments')
  end
end
