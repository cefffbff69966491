-- Part of the scripts that read a key whose type may be wrong. Returns what Redis replies; nil if the key holds
-- another type. Any other error, such as a command that is forbidden to the user, ends the script.
local function typed(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then
    return not string.find(reply.err, 'WRONGTYPE', 1, true) and redis.call(...) or nil
  end
  return reply
end
