-- Forgets a move to this name that was ended on both sides.
--
-- KEYS[1] moves to this name
-- ARGV[1] id of the move
-- Returns {'OK'}
-- Complexity: O(1). Writes.
redis.call('HDEL', KEYS[1], ARGV[1])
return {'OK'}
