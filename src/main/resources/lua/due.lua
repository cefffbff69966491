-- Lists the names whose sources may be due, by the clock of Redis. The source of a name decides.
--
-- KEYS[1] the sorted set of names with a source that is read by itself
-- ARGV[1] the most names to list
-- Returns {'OK', {name, score, ...}}  the longest due first
-- Complexity: O(names listed). Read-only.
-- include: clock
return {'OK', redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now()),
  'WITHSCORES', 'LIMIT', '0', ARGV[1])}
