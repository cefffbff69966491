-- Sets the bits of raw content that are set in some bytes, and keeps all that are set, because elements may be added
-- while content is loaded. BITOP on the bitmap would write all of it, so a copy of the range is used.
--
-- KEYS[1] state, KEYS[2] bitmap, KEYS[3], KEYS[4] keys that exist within the script only; then the companion, if the
--         library has one
-- ARGV[1] version, ARGV[2] bits of the bitmap, ARGV[3] bits of an element, ARGV[4] '1' if the bitmap is a library's
-- ARGV[5] the first byte, ARGV[6] the bytes, ARGV[7] the insertions that they stand for
-- Returns {'OK'}
--         {'GROWN'}  the bitmap was too short and has grown by 4 MiB: call again; nothing else was changed
--         {'CHANGED'}, {'KEY', key, problem}, {'DAMAGED'}  see raw
-- Complexity: O(bytes). Writes.
-- include: typed
-- include: expiry
-- include: library
-- include: raw-content
local refused, raw = read_raw(KEYS[1], KEYS[2], KEYS[5], unpack(ARGV, 1, 4))
if refused then
  return refused
end
local bitmap, given, held, bytes = KEYS[2], KEYS[3], KEYS[4], ARGV[6]
local last = string.format('%.0f', ARGV[5] + #bytes - 1)
if not reaches(raw, tonumber(last)) then
  return {'GROWN'}
end
if redis.call('BITCOUNT', bitmap, ARGV[5], last) > 0 then
  redis.call('SET', given, bytes, 'PX', 60000)
  redis.call('SET', held, redis.call('GETRANGE', bitmap, ARGV[5], last), 'PX', 60000)
  redis.call('BITOP', 'OR', given, given, held)
  bytes = redis.call('GET', given)
  redis.call('UNLINK', given, held)
end
redis.call('SETRANGE', bitmap, ARGV[5], bytes)
count_insertions(raw, ARGV[7])
return {'OK'}
