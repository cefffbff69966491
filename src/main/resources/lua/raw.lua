-- Counts or reads raw content, see raw-content.
--
-- KEYS[1] state, KEYS[2] bitmap; then the companion, if the library has one
-- ARGV[1] version, ARGV[2] bits of the bitmap, ARGV[3] bits of an element, ARGV[4] '1' if the bitmap is a library's
-- ARGV[5] COUNT or READ, ARGV[6] the first and ARGV[7] the last byte
-- Returns {'OK', bits set, insertions}  COUNT
--         {'OK', bytes}    READ; fewer at the end of the bitmap, after which all are 0
--         {'CHANGED'}      there is no such generation with this version
--         {'KEY', key, problem}  see library
--         {'DAMAGED'}      own content is missing, too long, or of another type
-- Complexity: O(bytes). Does not write.
-- include: typed
-- include: expiry
-- include: library
-- include: raw-content
local refused, raw = read_raw(KEYS[1], KEYS[2], KEYS[3], unpack(ARGV, 1, 4))
if refused then
  return refused
elseif ARGV[5] == 'COUNT' then
  return {'OK', redis.call('BITCOUNT', raw.bitmap, ARGV[6], ARGV[7]), string.format('%.0f', raw.insertions)}
end
return {'OK', redis.call('GETRANGE', raw.bitmap, ARGV[6], ARGV[7])}
