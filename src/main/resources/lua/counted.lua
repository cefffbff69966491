-- Tells the number of the last change of names, before these are counted again.
--
-- KEYS[1] names, KEYS[2] entries, KEYS[3] totals: see usage
-- ARGV[1] where the names begin, ARGV[2] where they end, both as ZRANGEBYLEX has them; ARGV[3] the
--         most names. Or '' three times, and
-- ARGV[4...] the names themselves
-- Returns {'OK', {name, change, ...}}  change: '0' for a name that is not counted
-- Complexity: O(names). Read-only.
-- include: usage
local some = {unpack(ARGV, 4)}
if ARGV[3] ~= '' then
  some = redis.call('ZRANGEBYLEX', names, ARGV[1], ARGV[2], 'LIMIT', '0', ARGV[3])
end
local found = {}
for _, name in ipairs(some) do
  local entry = read(name)
  found[#found + 1] = name
  found[#found + 1] = entry.change
end
return {'OK', found}
