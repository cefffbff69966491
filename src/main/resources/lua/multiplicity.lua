-- Says of elements how often they were added to one segment that has counters at most, less how often
-- they were removed.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3], KEYS[4] state and bits of the filter's first segment, if this is a later one, see guard_keys
-- ARGV[1] generation the offsets were computed for
-- ARGV[2] k, the number of offsets per element
-- ARGV[3...] offsets of counters in decimal, k per element
-- Returns {'OK', counts}  one hexadecimal digit per element: the smallest of its counters; f for 15 or more
--         {'JOURNALED'}  there is something journaled that is not in the counters, see journal
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(number of offsets). Read-only.
-- include: guard
-- include: counters
local k = tonumber(ARGV[2])
local refused, segment = guard_keys(ARGV[1], ARGV[2])
refused = refused or open_counters(KEYS[1], segment)
if refused then
  return refused
elseif not segment.counters then
  return {'DAMAGED', 'state'}
elseif segment.folded < segment.tip then
  return {'JOURNALED'}
end
local counts = {}
for first = 3, #ARGV, k do
  counts[#counts + 1] = string.format('%x', (least_of(KEYS[2], ARGV, first, k)))
end
return {'OK', table.concat(counts)}
