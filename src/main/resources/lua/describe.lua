-- Reads the state of one segment; that of a filter's first segment holds its parameters too.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] config, if it has one
-- ARGV[1] generation, or '' for any; ARGV[2] k, if that is known
-- Returns {'OK', {field, value, ...}}  see clock
--         {'ELSEWHERE', key, config}: see guard
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard
-- Complexity: O(1). Read-only.
-- include: guard
-- include: clock
local generation = ARGV[1] ~= '' and ARGV[1] or nil
local refused, segment = guard(KEYS[1], KEYS[2], generation, KEYS[3], ARGV[2])
if refused then
  return refused
end
return {'OK', fields_of(KEYS[1], segment.window)}
