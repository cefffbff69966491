-- Creates a filter: its state, its first segment in full, and the mark that the other segments are
-- still to be made.
--
-- A filter to come that somebody is loading under this name is dropped, see open; so is the source
-- of a filter that was lost.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment, KEYS[6] source
-- ARGV[1] bits of one segment
-- ARGV[2] deadline in Unix milliseconds, '0' for none
-- ARGV[3] incarnation, ARGV[4] number of segments
-- ARGV[5...] the fields of the state: name, value, ...
-- Returns {'CREATED'}
--         {'EXISTS'}  one of the filter's keys is there; nothing was changed
--         {'WRONG_TYPE', key}  see guard and next; nothing was changed
-- Complexity: O(bits of one segment). Writes.
-- include: guard
-- include: next
-- include: deadline
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then
  return {'EXISTS'}
end
local refused = guard_list(KEYS[3]) or foreign_next(KEYS[4], KEYS[5])
if refused then
  return refused
end
if redis.call('EXISTS', KEYS[4], KEYS[5], KEYS[6]) > 0 then
  local dropped = set_of(KEYS[4])
  redis.call('UNLINK', KEYS[4], KEYS[5], KEYS[6])
  keep_set(KEYS[3], dropped)
end
-- Setting the last bit to 0 allocates the whole bitmap, so that its length tells a damaged one.
redis.call('SETBIT', KEYS[2], string.format('%.0f', tonumber(ARGV[1]) - 1), '0')
redis.call('HSET', KEYS[1], unpack(ARGV, 5))
if tonumber(ARGV[4]) > 1 then
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
end
set_deadline(ARGV[2], KEYS[1], KEYS[2])
-- The list has a deadline only while all is reconciled: it must outlive the segments it names.
redis.call('PERSIST', KEYS[3])
return {'CREATED'}
