-- Brings the bitmap of a segment up to a position by writing some bits and the header in place. The journal stays.
--
-- KEYS[1] state, KEYS[2] segment
-- ARGV[1] incarnation of the content, ARGV[2] bytes of a bitmap, ARGV[3] of a header
-- ARGV[4] position and ARGV[5] mark up to which the caller knows the segment
-- ARGV[6] the position up to which its bitmap contained the blocks when the caller read it
-- ARGV[7...] type, bit offset and value of each field to set, including the header's; at most 1,900 fields
-- Returns {'OK'}
--         {'CHANGED'}  see state
--         {'FOLDED'}   another fold was faster
--         {'REREAD'}   the segment has another history, or no bitmap
--         {'DAMAGED'}
--         Any reply but OK: nothing was changed.
-- Complexity: O(fields). Writes.
-- include: typed
-- include: state
-- include: segment
-- include: known
local B, H = tonumber(ARGV[2]), tonumber(ARGV[3])
local _, refused = read_state('incarnation', ARGV[1])
if refused then
  return refused
end
local segment, unknown = read_known(KEYS[2], B, H, ARGV[4], ARGV[5], ARGV[6])
if unknown then
  return unknown
elseif segment.at == 0 then
  return {'REREAD'}
end
local fields = {}
for i = 7, #ARGV, 3 do
  fields[#fields + 1] = 'SET'
  fields[#fields + 1] = ARGV[i]
  fields[#fields + 1] = ARGV[i + 1]
  fields[#fields + 1] = ARGV[i + 2]
end
-- One command, so that a crash leaves all of it or nothing.
redis.call('BITFIELD', KEYS[2], unpack(fields))
return {'OK'}
