-- Reads a whole segment, snapshot and journal, for whoever wants to follow it. One that has no mark
-- gets one: without, two histories could not be told apart.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] k
-- ARGV[3] the mark for a segment that has none
-- Returns {'OK', bytes, base, folded, mark, bitsSet, insertions, maxInsertions}  bytes: snapshot
--         and journal; mark: that of the tip, '' if there is no memory to note one; the others: see journal;
--         of a segment that forgets also slice, taken, now: see window; of one with counters above0,
--         full: see counters
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(bytes read). Writes, once.
-- include: guard
-- include: clock
-- include: window
-- include: counters
-- include: journal
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], nil, ARGV[2])
refused = refused or open_content(KEYS[1], segment)
if refused then
  return refused
end
local mark = segment.mark
if mark == '' then
  local noted = redis.pcall('HSET', KEYS[1], 'mark', ARGV[3])
  mark = type(noted) == 'table' and '' or ARGV[3]
end
local reply = {'OK', redis.call('GET', KEYS[2]), segment.base, segment.folded, mark,
  segment.bitsSet, segment.insertions, segment.maxInsertions}
local ring, counters = segment.ring, segment.counters
if ring then
  reply[9], reply[10], reply[11] = ring.slice, ring.taken, ring.now
elseif counters then
  reply[9], reply[10] = counters.above0, counters.full
end
return reply
