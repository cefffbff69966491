-- Reads a filter: its state, the state of the generation that a rebuild loads, and headers of segments.
--
-- KEYS[1] state, KEYS[2] state of the next generation, only if it is known to exist; then segments
-- ARGV[1] '1' if KEYS[2] is that state, ARGV[2] for each segment bytes of a bitmap and of a header
-- Returns {'OK', milliseconds, state, next, length, header, ...}
--           milliseconds: Redis's clock
--           state: names and values of its fields, without a version if a crash cut off its deletion; {} if there is no
--           filter; next: the same
--           length, header: of each segment, 0 and '' if it does not exist; fewer if the reply would be too long
--         {'WRONG_TYPE', index}  this key holds another type
-- Complexity: O(segments). Writes only to restore the state's expiry after a crash cut off the script that set it.
-- include: typed
-- include: expiry
-- include: found
local reply, first = {'OK', milliseconds(), typed('HGETALL', KEYS[1]), {}}, 2
if not reply[3] then
  return {'WRONG_TYPE', 1}
end
local left, stored = redis.call('PTTL', KEYS[1]), redis.call('HGET', KEYS[1], 'expiresAt') or ''
-- Redis refuses any other text, which the caller reports as damage.
local expiry = #stored < 16 and tonumber(string.match(stored, '^-?%d+$'))
if (expiry and math.abs(reply[2] + left - expiry) > 1000) or (stored == '' and left >= 0) then
  set_expiry(KEYS[1], expiry or '')
end
if ARGV[1] == '1' then
  reply[4], first = typed('HGETALL', KEYS[2]), 3
end
if not reply[4] then
  return {'WRONG_TYPE', 2}
end
local wrong = add_headers(reply, first, ARGV[2])
return wrong and {'WRONG_TYPE', wrong} or reply
