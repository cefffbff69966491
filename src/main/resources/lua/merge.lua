-- Puts a bitmap in the place of a segment's, if the segment is as its caller read it: the caller has
-- worked out from what it read which elements are new, and set their bits.
--
-- Bits are only ever set within a generation, so equal counts mean equal bitmaps. Not so if Redis
-- lost writes, as a replica may have when it takes over, and got others since. So that nobody's bit
-- is ever cleared, the bits that are there are joined in a scratch key first and must add nothing.
-- Whether there are any the bitmap tells, not what is counted.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] a scratch key in the same slot; overwritten, and gone afterwards
-- ARGV[1] generation, ARGV[2] bitsSet as it was read
-- ARGV[3] the whole bitmap, with what was read and more; or '' to change nothing
-- ARGV[4] how many of its bits are 1, ARGV[5] insertions to be counted for them
-- Returns {'OK', next}       next: the generation that an open rebuild loads, or ''
--         {'CHANGED', next}  the segment is not as it was read; nothing was changed
--         {'FULL', next}     the segment does not take so many insertions; nothing was changed
--         {'BEYOND'}         the bitmap is of another length; nothing was changed
--         {'GONE'}, {'STALE', generation}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
-- Complexity: O(bytes of the segment). Writes.
-- include: guard
local state, bits, given = KEYS[1], KEYS[2], KEYS[3]
local refused, segment = guard(state, bits, ARGV[1])
if refused then
  return refused
end
local bytes, count, insertions = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
if segment.bitsSet ~= tonumber(ARGV[2]) then
  return {'CHANGED', segment.next}
end
if bytes == '' then
  return {'OK', segment.next}
end
if #bytes ~= math.ceil(segment.segmentBits / 8) then
  return {'BEYOND'}
end
if segment.maxInsertions > 0 and segment.insertions + insertions > segment.maxInsertions then
  return {'FULL', segment.next}
end
if segment.bitsSet > 0 or redis.call('BITCOUNT', bits) > 0 then
  -- Neither replicas nor the append-only file need what is gone when the script ends. Before Redis 7
  -- that has to be asked for.
  redis.replicate_commands()
  redis.set_repl(redis.REPL_NONE)
  redis.call('SET', given, bytes)
  redis.call('BITOP', 'OR', given, given, bits)
  local joined = redis.call('BITCOUNT', given)
  redis.call('UNLINK', given)
  redis.set_repl(redis.REPL_ALL)
  if joined ~= count then
    return {'CHANGED', segment.next}
  end
end
redis.call('SETRANGE', bits, '0', bytes)
redis.call('HSET', state,
  'bitsSet', string.format('%.0f', count),
  'insertions', string.format('%.0f', segment.insertions + insertions))
return {'OK', segment.next}
