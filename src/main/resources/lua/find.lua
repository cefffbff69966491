-- Reads a filter: its state, the state of the generation that a rebuild loads, and headers of segments.
--
-- KEYS[1] state, KEYS[2] state of the next generation, only if it is known to exist; then segments
-- ARGV[1] '1' if KEYS[2] is that state; then for each segment bytes of a bitmap and of a header
-- Returns {'OK', milliseconds, state, next, length, header, ...}
--           milliseconds: Redis's clock
--           state: its fields in the order below, '' for a missing one; next: the same, {} if it does not exist
--           length, header: of each segment, 0 and '' if it does not exist; fewer if the reply would be too long
--         {'GONE'}               there is no filter
--         {'UNFINISHED', state}  its deletion was cut off by a crash: delete it again
--         {'WRONG_TYPE', index}  this key holds another type
-- Complexity: O(segments). Writes only to restore the state's expiry after a crash cut off the script that set it.
-- include: typed
-- include: state
local MOST_BYTES = 1048576
local FIELDS = {'definition', 'version', 'home', 'incarnation', 'generation', 'createdAt', 'expiresAt', 'next',
  'written', 'dropped', 'owner', 'source', 'received', 'patience', 'run', 'live'}
local function read(key)
  local stored = typed('HMGET', key, unpack(FIELDS))
  if not stored then
    return nil
  end
  local is_there = false
  for i = 1, #FIELDS do
    is_there = is_there or stored[i]
    stored[i] = stored[i] or ''
  end
  return is_there and stored or {}
end

local now, state = milliseconds(), read(KEYS[1])
if not state then
  return {'WRONG_TYPE', 1}
elseif #state == 0 then
  return {'GONE'}
elseif state[2] == '' then
  return {'UNFINISHED', state}
end
local left, deadline = redis.call('PTTL', KEYS[1]), tonumber(state[7])
if (deadline and math.abs(now + left - deadline) > 1000) or (not deadline and left >= 0) then
  set_deadline(KEYS[1], state[7])
end
local first, next_state = ARGV[1] == '1' and 3 or 2, {}
if first == 3 then
  next_state = read(KEYS[2])
  if not next_state then
    return {'WRONG_TYPE', 2}
  end
end
local replies, bytes = {'OK', now, state, next_state}, 0
for i = first, #KEYS do
  local B, H = tonumber(ARGV[2 * (i - first) + 2]), tonumber(ARGV[2 * (i - first) + 3])
  local length = typed('STRLEN', KEYS[i])
  if not length then
    return {'WRONG_TYPE', i}
  end
  local at = length >= B + H and B or 0
  replies[#replies + 1] = length
  replies[#replies + 1] = redis.call('GETRANGE', KEYS[i], at, at + H - 1)
  bytes = bytes + H
  if bytes > MOST_BYTES then
    break
  end
end
return replies
