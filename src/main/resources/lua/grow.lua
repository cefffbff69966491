-- Replaces the definition of a generation, to add a layer. If there are several callers, the first one succeeds.
--
-- KEYS[1] state of the live or of the next generation
-- ARGV[1] version, ARGV[2] the new version, ARGV[3] definition
-- Returns {'OK'}
--         {'GONE'}, {'CHANGED'}  there is no filter, or it has another version; nothing was changed
--         {'WRONG_TYPE'}         the key holds another type
-- Complexity: O(bytes of the definition). Writes.
-- include: typed
-- include: state
local _, refused = read_state(ARGV[1], 'definition')
if refused then
  return refused
end
redis.call('HSET', KEYS[1], 'definition', ARGV[3], 'version', ARGV[2])
return {'OK'}
