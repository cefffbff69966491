-- Part of the scripts that return a filter. Needs typed and expiry.
local FIELDS = {'definition', 'version', 'home', 'incarnation', 'generation', 'createdAt', 'expiresAt', 'next',
  'written', 'dropped', 'owner', 'source', 'received', 'idleTimeout', 'run'}

-- Returns the fields, '' for a missing one; {} if there is no such state; nil if the key holds another type.
local function read_fields(key)
  local stored = typed('HMGET', key, unpack(FIELDS))
  if not stored then
    return
  end
  local is_there = false
  for i = 1, #FIELDS do
    is_there = is_there or stored[i]
    stored[i] = stored[i] or ''
  end
  return is_there and stored or {}
end

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
  local reply = {'OK', milliseconds(), read_fields(state_key), {}}
  add_headers(reply, first, layouts)
  return reply
end
