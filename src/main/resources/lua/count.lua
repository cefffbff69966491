-- Counts the bits that are set in a part of an adopted bitmap, which nobody counts as they are set.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] config, if it has one
-- ARGV[1] generation, ARGV[2] index of the first byte, ARGV[3] of the last
-- Returns {'OK', bits set, insertions}
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard
-- Complexity: O(bytes counted). Read-only.
-- include: guard
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], KEYS[3])
if refused then
  return refused
end
return {'OK', redis.call('BITCOUNT', KEYS[2], ARGV[2], ARGV[3]),
  string.format('%.0f', segment.insertions)}
