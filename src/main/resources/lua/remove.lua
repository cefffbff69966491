-- Removes elements from one segment that has counters, in order, and says of each whether it was known.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3], KEYS[4] state and bits of the filter's first segment, if this is a later one, see guard_keys
-- ARGV[1] generation the offsets were computed for
-- ARGV[2] k, the number of offsets per element; negative if replicas are waited for, see add
-- ARGV[3] the mark of this change, see journal
-- ARGV[4...] offsets of counters in decimal, k per element
-- Returns {'OK', flags}  flags: one character per element, '1' was known, and all its counters that are not
--                        full went down by one; '0' was not, and nothing was changed
--         {'JOURNALED'}  others journal what they add and remove, see add; nothing was changed
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(number of offsets). Writes.
-- include: guard
-- include: counters
local k = math.abs(tonumber(ARGV[2]))
local is_awaited = tonumber(ARGV[2]) < 0
local refused, segment = guard_keys(ARGV[1], is_awaited and string.sub(ARGV[2], 2) or ARGV[2])
refused = refused or open_counters(KEYS[1], segment)
if refused then
  return refused
elseif not segment.counters then
  return {'DAMAGED', 'state'}
elseif segment.tip > segment.base then
  return {'JOURNALED'}
end
local flags = {}
local any = false
for first = 4, #ARGV, k do
  local least, changed = lower(KEYS[2], segment, ARGV, first, k)
  flags[#flags + 1] = least > 0 and '1' or '0'
  any = any or changed
end
if any then
  redis.call('HSET', KEYS[1], 'bitsSet', string.format('%.0f', segment.bitsSet),
    'insertions', string.format('%.0f', segment.insertions), 'mark', ARGV[3])
  write_counters(KEYS[1], segment)
elseif is_awaited then
  redis.call('HSET', KEYS[1], 'insertions', string.format('%.0f', segment.insertions))
end
return {'OK', table.concat(flags)}
