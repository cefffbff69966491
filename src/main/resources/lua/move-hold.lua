-- Keeps others from ending a move that was committed, while its replicas are waited for.
--
-- KEYS[1] moves to this name
-- ARGV[1] id of the move, ARGV[2] how long it may go on without a further step, in milliseconds
-- Returns {'OK'}
-- Complexity: O(1). Writes.
-- include: clock
-- include: move
local status, _, from = move_entry(KEYS[1], ARGV[1])
if status == 'arrived' then
  set_move(KEYS[1], ARGV[1], status, ARGV[2], from)
end
return {'OK'}
