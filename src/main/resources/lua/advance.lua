-- For each of some segments: tells what others have journaled since a position, and journals more behind
-- that. Both in one step, so that whoever replays what it is told, and then its own, has the content of
-- the segment at this moment; and all segments are of the same moment.
--
-- Four keys a segment:
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] state, KEYS[4] bits of the filter's first segment, which knows whether the filter is still
--         this one; those of the segment where it is the first, or the first is in another slot
-- ARGV[1] '1' if replicas are waited for, see add; then eight a segment:
-- ARGV[2] generation, ARGV[3] k
-- ARGV[4] position up to which the caller knows the segment, ARGV[5] the mark it has seen there
-- ARGV[6] blocks, see journal; or '' to journal nothing
-- ARGV[7] the length of a journal, in bytes, behind which nothing is added
-- ARGV[8] how many bits the caller knows to be set at the position: older versions of the service, which
--         set bits without a mark, are noticed by it
-- ARGV[9] of a segment whose slices begin by the clock, the one for which the blocks were made; '' if nothing
--         is added
-- Returns {'OK', reply, ...}     a reply for each segment, in order; fewer, but at least one, if the
--                                others' would have made this one too long, or there is no reply for the
--                                next one: with those nothing was done
--         {'MOVING', move}       see guard; nothing was done
-- A reply {'OK', blocks, next, base, folded}    blocks: what others have journaled since; next: the
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
-- include: guard
-- include: clock
-- include: window
-- include: counters
-- include: journal
local MOST_BYTES = 1048576
local is_awaited = ARGV[1] == '1'

-- The first segment is looked at once for all later ones of its filter.
local firsts = {}
local function look_at_first(state, bits, generation)
  local known = firsts[state]
  if not known or known.generation ~= generation then
    local refused, following = guard_first(state, bits, generation)
    known = {generation = generation, refused = refused, following = following}
    firsts[state] = known
  end
  return known.refused, known.following
end

local function advance(key, arg)
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

local replies = {'OK'}
local bytes = 0
for i = 0, #KEYS / 4 - 1 do
  local reply = advance(4 * i + 1, 8 * i + 2)
  if reply[1] == 'MOVING' or reply.err then
    return i == 0 and reply or replies
  end
  replies[i + 2] = reply
  bytes = bytes + #(reply[2] or '')
  if bytes > MOST_BYTES then
    break
  end
end
return replies
