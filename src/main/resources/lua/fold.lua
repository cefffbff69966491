-- Folds a segment: replaces it by a new string of bitmap and header, or writes some bits and the header in place. Blocks
-- behind the caller's position stay.
--
-- KEYS[1] state, KEYS[2] segment; KEYS[3] the new string, with a time to live, unless it is folded in place
-- ARGV[1] incarnation of the content, ARGV[2] bytes of a bitmap, ARGV[3] of a header, ARGV[4] index of the segment
-- ARGV[5] position and ARGV[6] mark up to which the caller knows the segment; 0 and 8 zero bytes if it did not exist
-- ARGV[7] the position up to which its bitmap contained the blocks when the caller read it
-- ARGV[8...] in place: the arguments of BITFIELD, of at most 1,900 fields. For a new string with another mark than
--         ARGV[6], in which other content was joined: a fresh mark for an empty block if later blocks may stay, else ''
-- Returns {'OK'}
--         {'CHANGED'}  see state
--         {'FOLDED'}   another fold was faster
--         {'REREAD'}   the segment has another history, no bitmap to change in place, or later blocks that may not stay;
--                      or the new string has expired or does not match the arguments
--         {'DAMAGED'}
--         Any reply but OK: the segment is unchanged and the new string is deleted.
-- Complexity: O(fields), or O(bytes of the later blocks) plus freeing the old string. Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: segment
local B, H, index, position = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])

-- The header of the segment; or nil and the reply that refuses the call.
local function read_known()
  local length = typed('STRLEN', KEYS[2])
  local segment = length and read_header(KEYS[2], B, H, length)
  if not segment then
    return nil, {'DAMAGED'}
  elseif not stands(KEYS[2], segment, position, ARGV[6]) then
    return nil, {'REREAD'}
  elseif segment.folded ~= tonumber(ARGV[7]) then
    return nil, {'FOLDED'}
  end
  return segment
end

local function patch()
  local segment, refused = read_known()
  if refused or segment.at == 0 then
    return refused or {'REREAD'}
  end
  -- One command, so that a crash leaves all of it or nothing.
  redis.call('BITFIELD', KEYS[2], unpack(ARGV, 8))
  return {'OK'}
end

-- Returns the later blocks; or nil and the reply that refuses the call.
local function read_later(written)
  local made = redis.call('STRLEN', KEYS[3])
  local new = made == B + H and read_header(KEYS[3], B, H, made)
  if not new then
    return nil, {'REREAD'}
  end
  -- A new base is above all former positions, so that every follower reads the segment again.
  local is_joined = new.mark ~= ARGV[6]
  if not is_listed(written, index) and redis.call('EXISTS', KEYS[2]) == 0 then
    return is_joined and '' or nil, {'REREAD'}
  end
  local old, refused = read_known()
  if refused then
    return nil, refused
  elseif (is_joined and new.base <= old.tip) or (not is_joined and new.base ~= position) then
    return nil, {'REREAD'}
  elseif position == old.tip then
    return ''
  elseif is_joined and ARGV[8] == '' then
    return nil, {'REREAD'}
  end
  local blocks = redis.call('GETRANGE', KEYS[2], old.journal + position - old.base, -1)
  -- A follower that knows the last block does not know the new content.
  return is_joined and blocks .. '\0\0' .. string.sub(blocks, -14, -9) .. ARGV[8] or blocks
end

local state, refused = read_state('incarnation', ARGV[1], 'expiresAt', 'written')
if not KEYS[3] then
  return refused or patch()
end
local blocks
if state then
  blocks, refused = read_later(state[3])
end
if not blocks then
  redis.call('UNLINK', KEYS[3])
  return refused
end
if blocks ~= '' then
  redis.call('APPEND', KEYS[3], blocks)
end
set_expiry(KEYS[3], not_yet(state[2]))
redis.call('RENAME', KEYS[3], KEYS[2])
if not is_listed(state[3], index) then
  redis.call('HSET', KEYS[1], 'written', with_listed(state[3], index))
end
return {'OK'}
