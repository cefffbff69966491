-- Lets dropped content expire within a minute, and removes the note of it from the state.
--
-- KEYS[1] state, only if there is a note; then segments of the content, at most 1,024
-- ARGV[1] the note; ARGV[2] '1' to remove it, with the last segments; no arguments if there is no note
-- Returns {'OK'}
--         {'CHANGED'}  the state has another note or none; nothing was changed
-- Complexity: O(segments). Writes.
-- include: typed
-- include: dropped
if ARGV[1] and typed('HGET', KEYS[1], 'dropped') ~= ARGV[1] then
  return {'CHANGED'}
end
drop_soon(ARGV[1] and 2 or 1)
if ARGV[2] == '1' then
  redis.call('HDEL', KEYS[1], 'dropped')
end
return {'OK'}
