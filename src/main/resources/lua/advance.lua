-- For each of some segments: tells what others have journaled since a position, and journals more behind
-- that. Both in one step, so that whoever replays what it is told, and then its own, has the content of
-- the segment at this moment; and all segments are of the same moment.
--
-- Four keys a segment:
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] state, KEYS[4] bits of the filter's first segment, which knows whether the filter is still
--         this one; those of the segment where it is the first, or the first is in another slot
-- ARGV[1] '1' if replicas are waited for, see add; then eleven a segment:
-- ARGV[2] generation, ARGV[3] k
-- ARGV[4] position up to which the caller knows the segment, ARGV[5] the mark it has seen there
-- ARGV[6] blocks, see journal; or '' to journal nothing
-- ARGV[7] the length of a journal, in bytes, behind which nothing is added
-- ARGV[8] how many bits the caller knows to be set at the position: older versions of the service, which
--         set bits without a mark, are noticed by it
-- ARGV[9] of a segment whose slices begin by the clock, the one for which the blocks were made; '' if nothing
--         is added
-- ARGV[10] how many bytes KEYS[2] has if the segment is as the caller knows it, ARGV[11] how many of them are
--         journaled, ARGV[12] how many of these the bitmap lacks. ARGV[10] is '' where these do not tell: of a
--         segment that forgets or has counters
-- Returns {'OK', reply, ...}     a reply for each segment, in order; fewer, but at least one, if the
--                                others' would have made this one too long, or there is no reply for the
--                                next one: with those nothing was done
--         {'MOVING', move}       see guard; nothing was done
-- A reply {'SAME', next}                the segment was as the caller knows it: nobody journaled anything since,
--                                and it was journaled
--         {'OK', blocks, next, base, folded}    blocks: what others have journaled since; next: the
--                                generation that an open rebuild loads, or ''; base, folded: see journal
--         {'LONG', blocks, next, base, folded}  the same, but the journal is too long already: nothing
--                                was journaled
--         {'TURNED', blocks, next, base, folded, slice}  it is another slice than the blocks were made for:
--                                nothing was journaled
--                                Of a segment that forgets, OK and LONG tell its slice behind folded as well
--         {'REREAD', next}       the segment has another history, or what was journaled since is not
--                                kept any more: read it again; nothing was journaled
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(segments + bytes journaled since and given). Writes.
local MOST_BYTES = 1048576
local is_awaited = ARGV[1] == '1'

-- What the filter's first segment says of the rebuild; nil if the filter is not the one that is asked for, or
-- is moving. Looked at once for all later segments.
local firsts = {}
local function next_of(state, bits, generation)
  local known = firsts[state]
  if known == nil then
    local stored, length = redis.pcall('HMGET', state, 'generation', 'moving', 'next'), redis.pcall('STRLEN', bits)
    known = not stored.err and not stored[2] and type(length) == 'number' and length > 0
      and {generation = stored[1], following = stored[3] or ''}
    firsts[state] = known
  end
  return known and known.generation == generation and known.following or nil
end

-- Each change of a segment leaves another mark, so one that has the caller's is as he knows it, and what else
-- its state says need not be read: that would be most of the work. Returns what a rebuild loads, or nil if it
-- is not known to be the same.
local function next_of_same(key, arg)
  local state, generation, mark = KEYS[key], ARGV[arg], ARGV[arg + 3]
  if ARGV[arg + 8] == '' or mark == '' then
    return nil
  end
  local is_first = KEYS[key + 2] == state
  local stored = is_first and redis.pcall('HMGET', state, 'generation', 'mark', 'bitsSet', 'moving', 'next')
    or redis.pcall('HMGET', state, 'generation', 'mark', 'bitsSet')
  if stored.err or stored[1] ~= generation or stored[2] ~= mark or not stored[3] or stored[4]
      or (stored[3] ~= ARGV[arg + 6] and ARGV[arg + 10] == '0')
      or redis.pcall('STRLEN', KEYS[key + 1]) ~= tonumber(ARGV[arg + 8]) then
    return nil
  elseif is_first then
    return stored[5] or ''
  end
  return next_of(KEYS[key + 2], KEYS[key + 3], generation)
end

local function advance_same(state, bits, arg)
  local blocks, mark = ARGV[arg + 4], ARGV[arg + 3]
  if blocks ~= '' then
    local tip = string.format('%.0f', tonumber(ARGV[arg + 2]) + #blocks)
    redis.call('APPEND', bits, blocks)
    redis.call('HSET', state, 'tip', tip, 'mark', string.sub(blocks, -16))
    if ARGV[arg + 9] == '0' then
      redis.call('HSET', state, 'baseMark', mark)
    end
  elseif is_awaited then
    redis.call('HSET', state, 'mark', mark)
  end
end

-- Made only where something has changed: to make all these functions takes longer than to answer without.
local function advance_changed()
-- include: guard
-- include: clock
-- include: window
-- include: counters
-- include: journal
  -- The first segment is looked at once for all later ones of its filter.
  local looked_at = {}
  local function look_at_first(state, bits, generation)
    local known = looked_at[state]
    if not known or known.generation ~= generation then
      local refused, following = guard_first(state, bits, generation)
      known = {generation = generation, refused = refused, following = following}
      looked_at[state] = known
    end
    return known.refused, known.following
  end

  return function(key, arg)
    local state, bits = KEYS[key], KEYS[key + 1]
    local generation, k, position = ARGV[arg], ARGV[arg + 1], tonumber(ARGV[arg + 2])
    local refused, segment = guard(state, bits, generation, nil, k)
    if refused then
      return refused
    end
    local following = segment.next
    if KEYS[key + 2] ~= state then
      refused, following = look_at_first(KEYS[key + 2], KEYS[key + 3], generation)
      if refused then
        return refused
      end
    end
    local damaged = open_content(state, segment)
    if damaged then
      return damaged
    end
    local ring = segment.ring
    local slice = ring and ring.now or nil
    if not knows(state, bits, segment, position, ARGV[arg + 3])
        or (position == segment.tip and segment.folded == segment.tip
          and segment.counted ~= ARGV[arg + 6]) then
      return {'REREAD', following}
    end
    local blocks = ''
    if position < segment.tip then
      blocks = redis.call('GETRANGE', bits, number(snapshot_bytes(segment) + position - segment.base), '-1')
    end
    local added = ARGV[arg + 4]
    if ring and ARGV[arg + 7] ~= '' and tonumber(ARGV[arg + 7]) ~= slice then
      return {'TURNED', blocks, following, segment.base, segment.folded, slice}
    end
    if added ~= '' then
      if segment.tip - segment.base >= tonumber(ARGV[arg + 5]) then
        return {'LONG', blocks, following, segment.base, segment.folded, slice}
      end
      append(state, bits, segment, added)
      if ring and slice > ring.newest then
        redis.call('HSET', state, 'newestSlice', number(slice))
      end
    elseif is_awaited then
      redis.call('HSET', state, 'mark', segment.mark)
    end
    return {'OK', blocks, following, segment.base, segment.folded, slice}
  end
end

local advance
local replies = {'OK'}
local bytes = 0
for i = 0, #KEYS / 4 - 1 do
  local key, arg = 4 * i + 1, 11 * i + 2
  local is_long = ARGV[arg + 4] ~= '' and tonumber(ARGV[arg + 9]) >= tonumber(ARGV[arg + 5])
  local following = not is_long and next_of_same(key, arg)
  if following then
    advance_same(KEYS[key], KEYS[key + 1], arg)
    replies[i + 2] = {'SAME', following}
  else
    advance = advance or advance_changed()
    local reply = advance(key, arg)
    if reply[1] == 'MOVING' or reply.err then
      return i == 0 and reply or replies
    end
    replies[i + 2] = reply
    bytes = bytes + #(reply[2] or '')
    if bytes > MOST_BYTES then
      break
    end
  end
end
return replies
