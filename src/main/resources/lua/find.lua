-- Reads a filter: its state, the state of the generation that a rebuild loads, and headers of segments.
--
-- KEYS[1] state, KEYS[2] state of the next generation, only if it is known to exist; then segments
-- ARGV[1] '1' if KEYS[2] is that state, ARGV[2] for each segment bytes of a bitmap and of a header
-- Returns {'OK', milliseconds, state, next, length, header, ...}
--           milliseconds: Redis's clock
--           state: its fields in the order of found, '' for a missing one; next: the same, {} if it does not exist
--           length, header: of each segment, 0 and '' if it does not exist; fewer if the reply would be too long
--         {'GONE'}               there is no filter
--         {'UNFINISHED', state}  its deletion was cut off by a crash: delete it again
--         {'WRONG_TYPE', index}  this key holds another type
-- Complexity: O(segments). Writes only to restore the state's expiry after a crash cut off the script that set it.
-- include: typed
-- include: expiry
-- include: found
local now, state = milliseconds(), read_fields(KEYS[1])
if not state then
  return {'WRONG_TYPE', 1}
elseif #state == 0 then
  return {'GONE'}
elseif state[2] == '' then
  return {'UNFINISHED', state}
end
local left, expiry = redis.call('PTTL', KEYS[1]), tonumber(state[7])
if (expiry and math.abs(now + left - expiry) > 1000) or (not expiry and left >= 0) then
  set_expiry(KEYS[1], state[7])
end
local reply, first = {'OK', now, state, {}}, 2
if ARGV[1] == '1' then
  reply[4], first = read_fields(KEYS[2]), 3
end
if not reply[4] then
  return {'WRONG_TYPE', 2}
end
local wrong = add_headers(reply, first, ARGV[2])
return wrong and {'WRONG_TYPE', wrong} or reply
