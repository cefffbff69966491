-- Reads the hash that a library keeps beside its bitmap.
--
-- KEYS[1] config
-- ARGV none
-- Returns {'OK', {field, value, ...}}  no fields if there is none
--         {'WRONG_TYPE', 'config'}
-- Complexity: O(1). Read-only.
-- include: guard
local stored = redis.pcall('HGETALL', KEYS[1])
if stored.err then
  return refusal(stored, 'config')
end
return {'OK', stored}
