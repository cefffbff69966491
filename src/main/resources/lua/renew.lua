-- Renews the claim of a run, and notes which generation it loads, for whoever has to take it over.
--
-- KEYS[1] state of the filter, KEYS[2] source
-- ARGV[1] the run, ARGV[2] the lease in milliseconds
-- ARGV[3] the generation it loads, or '' for none yet
-- Returns {'OK', now}  now: Unix time in milliseconds
--         {'LOST'}     another run has taken over, or the source was replaced or removed
--         {'MOVING', move}  see source
--         {'GONE'}, {'NONE'}, {'WRONG_TYPE', key}: see source
-- Complexity: O(1). Writes.
-- include: source
-- include: clock
local refused = guard_source(KEYS[1], KEYS[2])
if refused then
  return refused
end
if not holds_run(KEYS[2], ARGV[1]) then
  return {'LOST'}
end
local at = now()
redis.call('HSET', KEYS[2], 'leasedUntil', string.format('%.0f', at + tonumber(ARGV[2])))
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[2], 'rebuild', ARGV[3])
end
return {'OK', at}
