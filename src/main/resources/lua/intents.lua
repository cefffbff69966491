-- Lists the names that were put on the list of filters to be reconciled before a certain time.
--
-- KEYS[1] the sorted set of names to be reconciled
-- ARGV[1] Unix time in milliseconds, ARGV[2] the most names to list
-- Returns {'OK', {name, score, ...}}  the oldest first
-- Complexity: O(names listed). Read-only.
return {'OK', redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[1], 'WITHSCORES',
  'LIMIT', '0', ARGV[2])}
