-- Counts the bits of each slice of a segment that forgets.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] k
-- Returns {'OK', now, insertions, bits, ...}  now: the number of the slice that it is; insertions: elements
--                      that were new, also those that are forgotten; bits: those that are 1, of the slice
--                      that it is and of each one before that is remembered, whatever is only journaled
--                      left out
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(bytes of the segment). Read-only.
-- include: guard
-- include: clock
-- include: window
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], nil, ARGV[2])
refused = refused or open_window(KEYS[1], segment)
if refused then
  return refused
elseif not segment.ring then
  return {'DAMAGED', 'state'}
end
local ring = segment.ring
local bytes = ring.bits / 8
local reply = {'OK', ring.now, segment.insertions}
for slice = ring.now, ring.now - ring.slices, -1 do
  local set = 0
  if slice >= 0 and slice <= ring.slice and slice >= ring.slice - ring.slices then
    local first = bytes * (slice % ring.rings)
    set = redis.call('BITCOUNT', KEYS[2], first, first + bytes - 1)
  end
  reply[#reply + 1] = set
end
return reply
