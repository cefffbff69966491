-- Puts a new snapshot in the place of a segment's: what its caller has after replaying the journal up to
-- a position; or that and more, which then need not be journaled.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] k; negative if replicas are waited for, see add
-- ARGV[3] position of the snapshot, ARGV[4] the mark seen there
-- ARGV[5] the snapshot, ARGV[6] how many of its bits are 1, ARGV[7] its insertions
-- ARGV[8] where the journal shall begin since, for followers that are a little behind; not after
--         the position. ARGV[9] the mark seen there
-- ARGV[10] the mark of this change if the snapshot has more than was journaled, else ''
-- ARGV[11] of a segment that forgets the slice that took an element last, ARGV[12] how many it took,
--          ARGV[13] how many bits of the snapshot are 1 in each ring; of one with counters how many of them
--          are above 0, and at 15
-- ARGV[14] '1' if what was journaled since the position is to stay behind the snapshot, where that has more
-- Returns {'OK', next, base, folded}  as advance has them
--         {'CHANGED', next, base, folded}  nothing was changed: the segment has another history, or its
--                    snapshot has come as far; or more was journaled, where it has more and that shall not stay or may
--                    have no room, or a later slice has begun
--         {'BEYOND'}  the snapshot is of another length; nothing was changed
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(bytes of the segment). Writes.
-- include: guard
-- include: clock
-- include: window
-- include: counters
-- include: journal
local k = string.gsub(ARGV[2], '^-', '')
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], nil, k)
refused = refused or open_content(KEYS[1], segment)
if refused then
  return refused
end
local state, bits, position, snapshot = KEYS[1], KEYS[2], tonumber(ARGV[3]), ARGV[5]
if #snapshot ~= snapshot_bytes(segment) then
  return {'BEYOND'}
end
local has_more, keeps = ARGV[10] ~= '', ARGV[14] == '1'
local ring = segment.ring
local slice = ring and tonumber(ARGV[11])
-- What others have journaled since was taken in a segment with fewer insertions; behind a snapshot that fills
-- it up it would be refused.
local function outgrows()
  local most = segment.maxInsertions
  return most > 0 and tonumber(ARGV[7]) + (segment.tip - position) / (3 * tonumber(k)) > most
end
if not knows(state, bits, segment, position, ARGV[4])
    or (has_more and position ~= segment.tip and (not keeps or outgrows()))
    or (has_more and ring and ring.by_time and slice < ring.now)
    or (not has_more and position <= segment.folded) then
  return {'CHANGED', segment.next, segment.base, segment.folded}
end
local base, base_mark = tonumber(ARGV[8]), ARGV[9]
if has_more or not knows(state, bits, segment, base, base_mark) then
  base, base_mark = position, ARGV[4]
end
local mark = ARGV[10]
if has_more and position < segment.tip then
  -- Whoever has followed it so far must read it again, so what was journaled gets positions that nobody knows.
  write_snapshot(state, bits, segment, snapshot, position, mark)
  local later = segment.tip - position
  position, segment.base = segment.tip, segment.tip
  redis.call('HSET', state, 'base', number(position), 'tip', number(position + later))
  mark = segment.mark
elseif segment.tip == segment.base then
  redis.call('SETRANGE', bits, '0', snapshot)
else
  write_snapshot(state, bits, segment, snapshot, base, base_mark)
end
segment.bitsSet, segment.insertions, segment.folded = tonumber(ARGV[6]), tonumber(ARGV[7]), position
if ring then
  ring.slice, ring.taken, ring.held = slice, tonumber(ARGV[12]), ARGV[13]
elseif segment.counters then
  segment.counters = {above0 = tonumber(ARGV[11]), full = tonumber(ARGV[12])}
end
write_counts(state, segment)
if has_more then
  redis.call('HSET', state, 'mark', mark)
end
return {'OK', segment.next, segment.base, segment.folded}
