-- Writes a piece of a bitmap that moves here from another slot, under a key that nobody else uses.
--
-- KEYS[1] moves to this name, KEYS[2] hidden bits
-- ARGV[1] id of the move, ARGV[2] how long it may go on without a further step, in milliseconds
-- ARGV[3] index of the first byte, ARGV[4] the bytes
-- Returns {'OK'}
--         {'LOST'}  the move was undone, or never begun; nothing was changed
-- Complexity: O(bytes given). Writes.
-- include: clock
-- include: move
local status, _, from = move_entry(KEYS[1], ARGV[1])
if status ~= 'open' then
  return {'LOST'}
end
redis.call('SETRANGE', KEYS[2], ARGV[3], ARGV[4])
set_move(KEYS[1], ARGV[1], 'open', ARGV[2], from)
return {'OK'}
