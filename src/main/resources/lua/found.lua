-- Part of the scripts that return a filter. Needs typed and expiry.

-- Adds length and header of segments to a reply, up to 1 MiB. The layouts are bytes of a bitmap and of a header for
-- each segment from KEYS[i] on. Returns the index of a key that holds another type.
local function add_headers(reply, i, layouts)
  local bytes = 0
  for B, H in string.gmatch(layouts, '(%d+) (%d+)') do
    local length = typed('STRLEN', KEYS[i])
    if not length then
      return i
    end
    local at = length >= B + H and B or 0
    reply[#reply + 1] = length
    reply[#reply + 1] = redis.call('GETRANGE', KEYS[i], at, at + H - 1)
    i, bytes = i + 1, bytes + H
    if bytes > 1048576 then
      return
    end
  end
end

-- The reply to a change that was made: the filter, as find returns it. If its field dropped names content, the caller
-- must drop it.
local function changed(state_key, first, layouts)
  local reply = {'OK', milliseconds(), redis.call('HGETALL', state_key), {}}
  add_headers(reply, first, layouts)
  return reply
end
