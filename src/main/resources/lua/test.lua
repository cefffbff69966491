-- Tests elements against one segment and says of each whether it might be contained.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] config, if it has one
-- KEYS[3], KEYS[4] or state and bits of the filter's first segment, see guard_keys
-- ARGV[1] generation the offsets were computed for
-- ARGV[2] k, the number of offsets per element
-- ARGV[3...] bit offsets in decimal, k per element
-- Returns {'OK', flags, full}  flags: one character per element, '1' maybe contained, '0' certainly not;
--                       full: '1' if the segment takes no new elements, else '0'
--         {'JOURNALED'}  elements were journaled that are not in the bitmap, see journal
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard
-- Complexity: O(number of offsets), less where an element's first 0 bit comes early. Read-only.
-- include: guard
-- include: clock
-- include: window
-- include: counters
local refused, segment = guard_keys(ARGV[1], ARGV[2])
refused = refused or open_window(KEYS[1], segment) or open_counters(KEYS[1], segment)
if refused then
  return refused
end
if segment.folded < segment.tip then
  return {'JOURNALED'}
end

local bits = KEYS[2]
local k = tonumber(ARGV[2])
local ring = segment.ring
local flags = {}
for first = 3, #ARGV, k do
  local flag = '1'
  if ring then
    flag = is_known(bits, ring, ring.now, ARGV, first, k) and '1' or '0'
  elseif segment.counters then
    flag = least_of(bits, ARGV, first, k) > 0 and '1' or '0'
  else
    for i = first, first + k - 1 do
      if redis.call('GETBIT', bits, ARGV[i]) == 0 then
        flag = '0'
        break
      end
    end
  end
  flags[#flags + 1] = flag
end
local full = segment.maxInsertions > 0 and segment.insertions >= segment.maxInsertions
return {'OK', table.concat(flags), full and '1' or '0'}
