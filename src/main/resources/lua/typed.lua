-- Part of the scripts that read what another program may have overwritten. Returns what Redis replies; nil if the key
-- holds another type. Any other error, such as a command that is forbidden to the user, ends the script.
local function typed(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then
    return not string.find(reply.err, 'WRONGTYPE', 1, true) and redis.call(...) or nil
  end
  return reply
end

-- Whether a field of a state, '' if it is missing, can be used as a number. Another program may have written anything.
local function is_number(text)
  return text == '' or (#text < 16 and string.find(text, '^%d+$') ~= nil)
end
