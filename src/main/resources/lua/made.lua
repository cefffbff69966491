-- Notes that what was reserved was made.
--
-- KEYS[1] names, KEYS[2] entries, KEYS[3] totals: see usage
-- ARGV[1] name, ARGV[2] token of the reservation, ARGV[3] bytes
-- Returns {'OK'}
-- Complexity: O(length of the name + log of names). Writes.
-- include: usage
-- Where memory is exhausted Redis refuses a script's first write, and only that, unless it frees.
redis.call('HDEL', entries, '')
local entry, before = read(ARGV[1])
entry.held[ARGV[2]] = nil
-- Never less: it may have become larger since, and whoever makes it smaller has it counted.
entry.made = math.max(entry.made or 0, tonumber(ARGV[3]))
write(ARGV[1], entry, before)
return {'OK'}
