-- Creates a filter: its state, its first segment in full, and the mark that the other segments are
-- still to be made.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- ARGV[1] bits of one segment
-- ARGV[2] deadline in Unix milliseconds, '0' for none
-- ARGV[3] incarnation, ARGV[4] number of segments
-- ARGV[5...] the fields of the state: name, value, ...
-- Returns {'CREATED'}
--         {'EXISTS'}  one of the filter's keys is there; nothing was changed
-- Complexity: O(bits of one segment). Writes.
-- include: deadline
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then
  return {'EXISTS'}
end
-- Setting the last bit to 0 allocates the whole bitmap, so that its length tells a damaged one.
redis.call('SETBIT', KEYS[2], string.format('%.0f', tonumber(ARGV[1]) - 1), '0')
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
if tonumber(ARGV[4]) > 1 then
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
end
set_deadline(ARGV[2], KEYS[1], KEYS[2])
set_list_deadline(ARGV[2], KEYS[3])
return {'CREATED'}
