-- Puts a bitmap in the place of a segment's, if the segment is as its caller read it: the caller has
-- worked out from what it read which elements are new, and set their bits. Equal versions mean equal
-- bitmaps, so that nobody's bit is ever cleared.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] version as it was read
-- ARGV[3] the whole bitmap, with what was read and more; or '' to change nothing
-- ARGV[4] how many of its bits are 1, ARGV[5] insertions to be counted for them
-- ARGV[6] the mark of this change, see version in guard; ARGV[7] number of hash functions
-- Returns {'OK', next, version}  next: the generation that an open rebuild loads, or ''; version:
--                            the one it has now
--         {'CHANGED', next}  the segment is not as it was read, or that is not known; nothing was
--                            changed
--         {'FULL', next}     the segment does not take so many insertions; nothing was changed
--         {'BEYOND'}         the bitmap is of another length; nothing was changed
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(bytes of the segment). Writes.
-- include: guard
local state, bits = KEYS[1], KEYS[2]
local refused, segment = guard(state, bits, ARGV[1], nil, ARGV[7])
if refused then
  return refused
end
local bytes, insertions = ARGV[3], tonumber(ARGV[5])
if ARGV[2] == '' or version(segment) ~= ARGV[2] then
  return {'CHANGED', segment.next}
end
if bytes == '' then
  return {'OK', segment.next, ARGV[2]}
end
if #bytes ~= math.ceil(segment.segmentBits / 8) then
  return {'BEYOND'}
end
if segment.maxInsertions > 0 and segment.insertions + insertions > segment.maxInsertions then
  return {'FULL', segment.next}
end
redis.call('SETRANGE', bits, '0', bytes)
segment.counted = ARGV[4]
segment.mark = ARGV[6]
redis.call('HSET', state,
  'bitsSet', segment.counted,
  'insertions', string.format('%.0f', segment.insertions + insertions),
  'mark', segment.mark)
return {'OK', segment.next, version(segment)}
