-- Reads a filter: the state of its first segment, which holds its parameters, and its source.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] source
-- KEYS[4] config of an adopted bitmap, if it has one
-- ARGV none
-- Returns {'OK', {field, value, ...}, {field, value, ...}}
--         the state, see clock; the source, empty if there is none that can be read
--         {'ELSEWHERE', key, config}: see guard
--         {'MOVING', move}  see guard
--         {'GONE'}, {'DAMAGED', key}, {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard
-- Complexity: O(1). Read-only.
-- include: guard
-- include: clock
local refused, segment = guard(KEYS[1], KEYS[2], nil, KEYS[4])
if refused then
  return refused
end
local source = redis.pcall('HGETALL', KEYS[3])
return {'OK', fields_of(KEYS[1], segment.window), source.err and {} or source}
