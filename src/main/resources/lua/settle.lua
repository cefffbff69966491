-- Brings one of the later segments of a filter to what the filter's state asks for: made if the
-- filter is being created or cleared, emptied if it holds an older generation, with the deadline.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] revision, ARGV[3] bits of the segment, ARGV[4] its max insertions
-- ARGV[5] deadline in Unix milliseconds, '0' for none
-- ARGV[6] '1' if a missing segment is to be made, '0' if it is a damage
-- Returns {'OK'}  done, or done before, or a newer revision was applied by somebody else
--         {'DAMAGED', key}  the segment is missing and must not be made
--         {'WRONG_TYPE', key}  see guard
-- Complexity: O(bits of the segment). Writes.
-- include: guard
-- include: deadline
local refused = guard(KEYS[1], KEYS[2], nil)
local make = ARGV[6] == '1'
if refused then
  if refused[1] ~= 'GONE' and refused[1] ~= 'DAMAGED' then
    return refused
  end
  if not make then
    return {'DAMAGED', refused[2] or 'state'}
  end
else
  local stored = redis.call('HMGET', KEYS[1], 'revision', 'generation')
  if tonumber(stored[1]) >= tonumber(ARGV[2]) then
    return {'OK'}
  end
  make = stored[2] ~= ARGV[1]
end
if make then
  redis.call('UNLINK', KEYS[1], KEYS[2])
  redis.call('SETBIT', KEYS[2], string.format('%.0f', tonumber(ARGV[3]) - 1), '0')
  redis.call('HSET', KEYS[1], 'generation', ARGV[1], 'segmentBits', ARGV[3],
    'bitsSet', '0', 'insertions', '0', 'maxInsertions', ARGV[4])
end
redis.call('HSET', KEYS[1], 'revision', ARGV[2])
set_deadline(ARGV[5], KEYS[1], KEYS[2])
return {'OK'}
