-- Reads the state of one segment; that of a filter's first segment holds its parameters too.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, or '' for any
-- Returns {'OK', {field, value, ...}}
--         {'GONE'}, {'STALE', generation}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
-- Complexity: O(1). Read-only.
-- include: guard
local generation = ARGV[1] ~= '' and ARGV[1] or nil
local refused = guard(KEYS[1], KEYS[2], generation)
return refused or {'OK', redis.call('HGETALL', KEYS[1])}
