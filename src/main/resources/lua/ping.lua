-- Answers only where a script may write: a read-only replica fails it. Changes nothing.
--
-- KEYS[1]  a key that never exists; any slot will do
-- ARGV     none
-- Returns  {'OK'}
-- Complexity O(1)
-- Not read-only for Redis, but never changes anything
redis.call('DEL', KEYS[1])
return {'OK'}
