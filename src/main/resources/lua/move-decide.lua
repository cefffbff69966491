-- Tells how a move to this name ended, and ends it here if nobody goes on with it: one that was not
-- committed is undone, and can be committed by nobody any more.
--
-- KEYS[1] moves to this name, KEYS[2] hidden bits, KEYS[3] hidden bits of the next generation
-- ARGV[1] id of the move
-- ARGV[2] '1' to end it in any case, '0' only if whoever does it has let his time pass
-- Returns {'OPEN'}     it is still being done
--         {'ARRIVED'}  the filter bears the new name
--         {'UNDONE'}   it keeps the old one
--         {'NONE'}     there is no such move any more: both names are as they are to be
-- Complexity: O(1), freeing in the background. Writes.
-- include: clock
-- include: move
local status, till, from = move_entry(KEYS[1], ARGV[1])
if status and ARGV[2] ~= '1' and now() < till then
  return {'OPEN'}
end
if redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then
  redis.call('UNLINK', KEYS[2], KEYS[3])
end
if not status then
  return {'NONE'}
end
if status == 'arrived' then
  return {'ARRIVED'}
end
-- A script's first write is the one Redis refuses for want of memory, unless it frees. No id is empty.
redis.call('HDEL', KEYS[1], '')
set_move(KEYS[1], ARGV[1], 'undone', '0', from)
return {'UNDONE'}
