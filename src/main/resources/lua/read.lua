-- Reads bytes of a segment's bitmap, without what is only journaled, and what is counted of it. Equal
-- versions of two calls mean equal bitmaps.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] config, if it has one
-- ARGV[1] generation, ARGV[2] index of the first byte, ARGV[3] the most bytes to read, from 1
-- ARGV[4] number of hash functions
-- Returns {'OK', bytes, bitsSet, insertions, version}  fewer bytes only at the end of the bitmap; that of an
--         adopted one may come early, and then only zeros would follow
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard
-- Complexity: O(bytes read). Read-only.
-- include: guard
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], KEYS[3], ARGV[4])
if refused then
  return refused
end
local last = tonumber(ARGV[2]) + tonumber(ARGV[3])
if not segment.adopted then
  last = math.min(last, math.ceil(segment.segmentBits / 8))
  if last <= tonumber(ARGV[2]) then
    return {'OK', '', string.format('%.0f', segment.bitsSet), string.format('%.0f', segment.insertions),
      version(segment)}
  end
end
last = string.format('%.0f', last - 1)
return {'OK', redis.call('GETRANGE', KEYS[2], ARGV[2], last),
  string.format('%.0f', segment.bitsSet), string.format('%.0f', segment.insertions),
  version(segment)}
