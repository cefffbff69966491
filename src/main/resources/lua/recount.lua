-- Notes what there is under a name, unless that was changed since its number was asked for; drops
-- reservations that are over.
--
-- KEYS[1] names, KEYS[2] entries, KEYS[3] totals: see usage
-- ARGV[1] name, ARGV[2] change, as counted told it
-- ARGV[3] bytes it takes, '' if there is nothing, '=' for as many as before: it is damaged
-- ARGV[4] token of a reservation that is not needed any more, or ''
-- Returns {'OK'}
--         {'CHANGED'}  count again; only the token was dropped
-- Complexity: O(length of the name + log of names). Writes.
-- include: usage
-- include: clock
-- Where memory is exhausted Redis refuses a script's first write, and only that, unless it frees.
redis.call('HDEL', entries, '')
local changed = look(ARGV[1], ARGV[3], now(), ARGV[2], ARGV[4])
return {changed and 'CHANGED' or 'OK'}
