-- Tells the version of a segment's bitmap: how many bits are set, since within a generation bits are
-- only ever set.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation
-- Returns {'OK', bitsSet}
--         {'GONE'}, {'STALE', generation}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
-- Complexity: O(1). Read-only.
-- include: guard
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1])
return refused or {'OK', segment.bitsSet}
