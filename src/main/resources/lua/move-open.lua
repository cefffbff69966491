-- Notes, in the slot of the new name, that a filter is about to move there from another slot.
--
-- KEYS[1] moves to this name
-- ARGV[1] id of the move, ARGV[2] the name that moves
-- ARGV[3] how many milliseconds whoever does it may let pass without a further step
-- Returns {'OK'}
-- Complexity: O(1). Writes.
-- include: clock
-- include: move
set_move(KEYS[1], ARGV[1], 'open', ARGV[3], ARGV[2])
return {'OK'}
