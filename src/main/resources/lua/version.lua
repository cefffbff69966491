-- Tells the version of a segment's bitmap: equal versions of a generation mean equal bits.
--
-- KEYS[1] state, KEYS[2] bits of the segment
--         {'MOVING', move}  see guard
-- ARGV[1] generation, ARGV[2] number of hash functions
-- Returns {'OK', version}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(1). Read-only.
-- include: guard
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], nil, ARGV[2])
return refused or {'OK', version(segment)}
