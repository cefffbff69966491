-- Part of the scripts that read a segment: | bitmap | header | journal |. A bare segment has no bitmap yet.

-- A segment that ends with the mark of one without blocks is cut: it is created with its first block.
local UNWRITTEN, MOST_INSERTIONS, MOST_TIME = string.rep('\0', 8), 2 ^ 50, 2 ^ 48

local function is_listed(written, index)
  local byte = string.byte(written, math.floor(index / 8) + 1)
  return byte and bit.band(byte, bit.rshift(128, index % 8)) ~= 0
end

local function with_listed(written, index)
  local at = math.floor(index / 8) + 1
  written = written .. string.rep('\0', at - #written)
  local byte = bit.bor(string.byte(written, at), bit.rshift(128, index % 8))
  return string.sub(written, 1, at - 1) .. string.char(byte) .. string.sub(written, at + 1)
end

-- Returns the fields of the header and where it begins; nil if the segment is damaged.
local function read_header(key, B, H, length)
  local at = length >= B + H and B or 0
  local header = redis.call('GETRANGE', key, at, at + H - 1)
  if #header < H or string.sub(header, 1, 8) ~= 'BLOOMSG\1' then
    return nil
  end
  local base, folded, bits_set, insertions, newest = struct.unpack('>I8I8I8I8I8', header, 9)
  local tip = base + length - at - H
  if folded < base or folded > tip or tip >= 2 ^ 53 or bits_set > 8 * B or insertions > MOST_INSERTIONS
    or newest >= MOST_TIME or redis.call('GETRANGE', key, -8, -1) == UNWRITTEN then
    return nil
  end
  return {at = at, base = base, folded = folded, tip = tip, journal = at + H, mark = string.sub(header, -8),
    bits_set = bits_set, insertions = insertions, newest = newest}
end

-- Whether a mark is the one at a position, which is the last 8 bytes before it.
local function stands(key, segment, position, mark)
  if position <= segment.base or position > segment.tip then
    return position == segment.base and mark == segment.mark
  end
  local behind = segment.journal + position - segment.base
  return redis.call('GETRANGE', key, behind - 8, behind - 1) == mark
end
