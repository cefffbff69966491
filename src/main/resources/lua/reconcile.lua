-- Brings one of the later segments of a filter to what the filter's state asks for: emptied if it
-- holds an older generation, with the deadline; and made, if it is missing while the filter is
-- being created.
--
-- What is made here is not in use yet. In the place of a generation it bears its birth, which no
-- other script takes for one, until activate gives it the generation. For whoever makes it may be
-- late: the filter may be ready, and filled, and have lost the segment since. It lives for an hour at most,
-- unless it is activated.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] revision, ARGV[3] bits of the segment, ARGV[4] its max insertions
-- ARGV[5] deadline in Unix milliseconds, '0' for none
-- ARGV[6] the birth of what is to be made if the segment is missing, a text that no other call
--         ever bears; '' if a missing segment is a damage
-- ARGV[7...] what the state tells of the kind of its content: name, value, ...; see guard. None if it is
--         neither forgotten nor removed
-- Returns {'OK'}  done, or done before, or a newer revision was applied by somebody else
--         {'MADE', birth}  the segment was made, now or before, and waits to be activated
--         {'GONE'}  the segment was freed: its filter has been deleted
--         {'DAMAGED', key}  the segment is missing, or was made and never activated, and there is
--                           no birth
--         {'WRONG_TYPE', key}  see guard
-- Complexity: O(bits of the segment). Writes.
-- include: guard
-- include: deadline
local UNUSED_MILLIS = '3600000'

local refused = guard(KEYS[1], KEYS[2], nil)
if refused and refused[1] == 'WRONG_TYPE' then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'generation', 'revision')
if stored[1] == 'freed' then
  return {'GONE'}
end
local revision = tonumber(stored[2])
local missing = refused or not revision
local made = not missing and string.match(stored[1], '^made:(.*)')
if (missing or made) and ARGV[6] == '' then
  return {'DAMAGED', refused and refused[2] or 'state'}
end
if made then
  return {'MADE', made}
end
if not missing and revision >= tonumber(ARGV[2]) then
  return {'OK'}
end
if missing or stored[1] ~= ARGV[1] then
  -- Only if there is something: after a first write, which this is, Redis does not refuse others for
  -- want of memory, and it must refuse to make segments it has no room for. Keys that are there
  -- stay: while their slot is handed over a node of a cluster lets nobody make them again.
  if redis.call('EXISTS', KEYS[2]) == 1 then
    redis.call('PERSIST', KEYS[2])
    redis.call('SET', KEYS[2], '')
  end
  redis.call('SETBIT', KEYS[2], string.format('%.0f', tonumber(ARGV[3]) - 1), '0')
  redis.call('HSET', KEYS[1], 'generation', missing and 'made:' .. ARGV[6] or ARGV[1],
    'segmentBits', ARGV[3], 'bitsSet', '0', 'insertions', '0', 'mark', '', 'maxInsertions', ARGV[4])
  redis.call('HDEL', KEYS[1], 'base', 'baseMark', 'folded', 'tip', 'slice', 'taken', 'newestSlice',
    'ringBitsSet', 'countersAbove0', 'countersFull')
  if ARGV[7] then
    redis.call('HSET', KEYS[1], unpack(ARGV, 7))
  end
end
redis.call('HSET', KEYS[1], 'revision', ARGV[2])
set_deadline(ARGV[5], KEYS[1], KEYS[2])
if missing and ARGV[5] == '0' then
  -- Nobody knows of it if its filter was deleted long ago, and the mark of that is gone.
  redis.call('PEXPIRE', KEYS[1], UNUSED_MILLIS)
  redis.call('PEXPIRE', KEYS[2], UNUSED_MILLIS)
end
return missing and {'MADE', ARGV[6]} or {'OK'}
