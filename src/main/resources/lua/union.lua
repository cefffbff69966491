-- Sets the bits of a segment that are set in the given bytes, and keeps those that are set already:
-- elements may be added while a segment is loaded.
--
-- BITOP would write the whole bitmap and drop its deadline. So the range is joined in two scratch
-- keys and written back: the cost is that of the range, however large the segment.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3], KEYS[4] scratch keys in the same slot; overwritten, and gone afterwards
-- ARGV[1] generation, ARGV[2] index of the first byte, ARGV[3] the bytes, at least one
-- ARGV[4] insertions to be counted for them, ARGV[5] the mark of this change, ARGV[6] k
-- Returns {'OK', bits that were not set before}
--         {'JOURNALED'}  too much was journaled that is not in the bitmap: replay that first; nothing
--                     was changed but the bitmap brought further
--         {'BEYOND'}  the bytes end behind the bitmap; nothing was changed
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(bytes given). Writes.
-- include: guard
-- include: clock
-- include: window
-- include: counters
-- include: journal
local state, bits, given, held = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local refused, segment = guard(state, bits, ARGV[1], nil, ARGV[6])
if refused then
  return refused
end
local first, bytes = tonumber(ARGV[2]), ARGV[3]
if first + #bytes > math.ceil(segment.segmentBits / 8) then
  return {'BEYOND'}
end
-- Followers are not told of this, so the journal ends here.
if segment.tip > segment.base then
  local damage = replay(bits, segment, tonumber(ARGV[6]), 1024)
  if damage then
    return damage
  end
  write_counts(state, segment)
  if segment.folded < segment.tip then
    return {'JOURNALED'}
  end
  local snapshot = redis.call('GETRANGE', bits, '0', number(snapshot_bytes(segment) - 1))
  write_snapshot(state, bits, segment, snapshot, segment.tip, segment.mark)
end
local last = string.format('%.0f', first + #bytes - 1)
local before = redis.call('BITCOUNT', bits, ARGV[2], last)
if before > 0 then
  redis.call('SET', given, bytes)
  redis.call('SET', held, redis.call('GETRANGE', bits, ARGV[2], last))
  redis.call('BITOP', 'OR', given, given, held)
  bytes = redis.call('GET', given)
  redis.call('UNLINK', given, held)
end
redis.call('SETRANGE', bits, ARGV[2], bytes)
local more = tonumber(ARGV[4])
local added = redis.call('BITCOUNT', bits, ARGV[2], last) - before
redis.call('HSET', state,
  'bitsSet', string.format('%.0f', segment.bitsSet + added),
  'insertions', string.format('%.0f', segment.insertions + more),
  -- Who follows it must not go on with fewer insertions, as it refuses what is beyond its most.
  'mark', (added > 0 or more > 0) and ARGV[5] or segment.mark)
return {'OK', added}
