-- Lets dropped content expire within a minute, and removes the note of it from the state.
--
-- KEYS[1] state, only if ARGV[1] is not ''; then segments of the content, at most 1,024
-- ARGV[1] the note, '' if there is none; ARGV[2] '1' to remove it, with the last segments
-- Returns {'OK'}
--         {'CHANGED'}     the state has another note or none; nothing was changed
--         {'WRONG_TYPE'}  the key holds another type
-- Complexity: O(segments). Writes.
-- include: typed
-- include: dropped
if ARGV[1] ~= '' then
  local note = typed('HGET', KEYS[1], 'dropped')
  if note == nil then
    return {'WRONG_TYPE'}
  elseif note ~= ARGV[1] then
    return {'CHANGED'}
  end
end
drop_soon(ARGV[1] == '' and 1 or 2)
if ARGV[2] == '1' then
  redis.call('HDEL', KEYS[1], 'dropped')
end
return {'OK'}
