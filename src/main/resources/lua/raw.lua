-- Counts, reads or fills raw content, see raw-content. Filling keeps all bits that are set, because elements may be
-- added while content is loaded. BITOP on the bitmap would write all of it, so a copy of the range is used.
--
-- KEYS[1] state, KEYS[2] bitmap; to fill, two keys that exist within the script only; then the companion, if the
--         library has one
-- ARGV[1] version, ARGV[2] bits of the bitmap, ARGV[3] bits of an element, ARGV[4] '1' if the bitmap is a library's
-- ARGV[5] COUNT, READ or FILL, ARGV[6] the first and ARGV[7] the last byte
-- ARGV[8] to fill: the bytes whose bits are set, ARGV[9] the insertions that they stand for
-- Returns {'OK', bits set, insertions}  COUNT
--         {'OK', bytes}    READ; fewer at the end of the bitmap, after which all are 0
--         {'OK'}           FILL
--         {'GROWN'}        the bitmap was too short to fill and has grown by 4 MiB: call again
--         {'CHANGED'}      there is no such generation with this version
--         {'KEY', key, problem}  see library
--         {'DAMAGED'}      own content is missing, too long, or shorter than it was
-- Complexity: O(bytes). Writes if it fills.
-- include: typed
-- include: expiry
-- include: library
-- include: raw-content
local bitmap, what, first, last = KEYS[2], ARGV[5], ARGV[6], ARGV[7]
local refused, raw = read_raw(KEYS[1], bitmap, KEYS[what == 'FILL' and 5 or 3], unpack(ARGV, 1, 4))
if refused then
  return refused
elseif what == 'COUNT' then
  return {'OK', redis.call('BITCOUNT', bitmap, first, last), string.format('%.0f', raw.insertions)}
elseif what == 'READ' then
  return {'OK', redis.call('GETRANGE', bitmap, first, last)}
elseif not reaches(raw, tonumber(last)) then
  return {'GROWN'}
end
local bytes, given, held = ARGV[8], KEYS[3], KEYS[4]
if redis.call('BITCOUNT', bitmap, first, last) > 0 then
  redis.call('SET', given, bytes, 'PX', 60000)
  redis.call('SET', held, redis.call('GETRANGE', bitmap, first, last), 'PX', 60000)
  redis.call('BITOP', 'OR', given, given, held)
  bytes = redis.call('GET', given)
  redis.call('UNLINK', given, held)
end
redis.call('SETRANGE', bitmap, first, bytes)
count_insertions(raw, ARGV[9])
return {'OK'}
