-- Part of the scripts whose callers have read a segment. Needs segment.

-- The header of a segment that a caller knows up to a mark, and whose bitmap it knows up to a position; or nil and the
-- reply that refuses the call.
local function read_known(key, B, H, position, mark, folded)
  local length = typed('STRLEN', key)
  local segment = length and read_header(key, B, H, length)
  if not segment then
    return nil, {'DAMAGED'}
  elseif not stands(key, segment, tonumber(position), mark) then
    return nil, {'REREAD'}
  elseif segment.folded ~= tonumber(folded) then
    return nil, {'FOLDED'}
  end
  return segment
end
