-- Tells what others have journaled of a segment since a position, and journals more behind that. Both
-- in one step, so that whoever replays what it is told, and then its own, has the content of the
-- segment at this moment.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] state, KEYS[4] bits of the filter's first segment, which knows whether the filter is still
--         this one; those of the segment where it is the first, or the first is in another slot
-- ARGV[1] generation, ARGV[2] k; negative if replicas are waited for, see add
-- ARGV[3] position up to which the caller knows the segment, ARGV[4] the mark it has seen there
-- ARGV[5] blocks, see journal; or '' to journal nothing. ARGV[6] the mark of the last one
-- ARGV[7] the length of a journal, in bytes, behind which nothing is added
-- ARGV[8] how many bits the caller knows to be set at the position: older versions of the service, which
--         set bits without a mark, are noticed by it
-- Returns {'OK', blocks, next, base, folded}    blocks: what others have journaled since; next: the
--                                generation that an open rebuild loads, or ''; base, folded: see journal
--         {'LONG', blocks, next, base, folded}  the same, but the journal is too long already: nothing
--                                was journaled
--         {'REREAD', next}       the segment has another history, or what was journaled since is not
--                                kept any more: read it again; nothing was journaled
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(bytes journaled since and given). Writes.
-- include: guard
-- include: journal
local is_awaited = string.sub(ARGV[2], 1, 1) == '-'
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], nil,
  is_awaited and string.sub(ARGV[2], 2) or ARGV[2])
if refused then
  return refused
end
local following = segment.next
if KEYS[3] ~= KEYS[1] then
  local gone, first = guard(KEYS[3], KEYS[4], ARGV[1])
  if gone and (gone[1] == 'GONE' or gone[1] == 'STALE') then
    return {'STALE', gone[2] or ''}
  elseif gone and (gone[2] == 'state' or gone[2] == 'bits') then
    return {gone[1], gone[2] == 'state' and 'firstState' or 'firstBits'}
  elseif gone then
    return gone
  end
  following = first.next
end
local state, bits, position = KEYS[1], KEYS[2], tonumber(ARGV[3])
if not knows(state, bits, segment, position, ARGV[4])
    or (position == segment.tip and segment.folded == segment.tip and segment.counted ~= ARGV[8]) then
  return {'REREAD', following}
end
local blocks = ''
if position < segment.tip then
  blocks = redis.call('GETRANGE', bits, number(snapshot_bytes(segment) + position - segment.base), '-1')
end
local added = ARGV[5]
if added ~= '' then
  if segment.tip - segment.base >= tonumber(ARGV[7]) then
    return {'LONG', blocks, following, number(segment.base), number(segment.folded)}
  end
  redis.call('APPEND', bits, added)
  if segment.tip == segment.base then
    redis.call('HSET', state, 'tip', number(segment.tip + #added), 'mark', ARGV[6],
      'baseMark', segment.mark)
  else
    redis.call('HSET', state, 'tip', number(segment.tip + #added), 'mark', ARGV[6])
  end
elseif is_awaited then
  redis.call('HSET', state, 'mark', segment.mark)
end
return {'OK', blocks, following, number(segment.base), number(segment.folded)}
