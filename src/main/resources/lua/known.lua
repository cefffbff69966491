-- Part of the scripts whose callers have read a segment. Needs segment. The scripts for single elements do without it,
-- because creating a function takes time.

-- Returns fields of a state if the first has the value that the caller knows; or nil and the reply that refuses the
-- call.
local function read_generation(key, known, ...)
  local state = typed('HMGET', key, ...)
  if not state then
    return nil, {'DAMAGED', 'state'}
  elseif state[1] ~= known then
    return nil, {state[1] and 'CHANGED' or 'GONE'}
  end
  return state
end

-- The header of a segment that a caller knows up to a mark, and whose bitmap it knows up to a position; or nil and the
-- reply that refuses the call.
local function read_known(key, B, H, position, mark, folded)
  local length = typed('STRLEN', key)
  if not length then
    return nil, {'DAMAGED', 'type'}
  elseif length == 0 then
    return nil, {'DAMAGED', 'missing'}
  end
  local segment, damaged = read_header(key, B, H, length)
  if damaged then
    return nil, {'DAMAGED', damaged}
  elseif not stands(key, segment, tonumber(position), mark) then
    return nil, {'REREAD'}
  elseif segment.folded ~= tonumber(folded) then
    return nil, {'FOLDED'}
  end
  return segment
end
