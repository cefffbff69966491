-- Replaces a segment by a new string of bitmap and header, which the caller has written to a separate key. Blocks
-- that were appended after the caller read the segment are kept behind it.
--
-- KEYS[1] state, KEYS[2] segment, KEYS[3] the new string, with a time to live
-- ARGV[1] incarnation of the content, ARGV[2] bytes of a bitmap, ARGV[3] of a header, ARGV[4] index of the segment
-- ARGV[5] position and ARGV[6] mark up to which the caller knows the segment
-- ARGV[7] the position up to which its bitmap contained the blocks when the caller read it; '' if it did not exist
-- ARGV[8] the mark at the end of the new string. If it is ARGV[6], the content is the same and the new header's base is
--         ARGV[5]. If it is a fresh mark, other content was joined in, and the new base is above all former positions
-- ARGV[9] only with joined content: a fresh mark for an empty block if later blocks may stay; '' if there must be none
-- Returns {'OK'}
--         {'CHANGED'}  see state
--         {'FOLDED'}   another fold was faster
--         {'REREAD'}   the segment has another history, or later blocks that may not stay; or the new string has
--                      expired, or does not match the arguments
--         {'DAMAGED'}
--         Any reply but OK: the segment is unchanged and the new string is deleted.
-- Complexity: O(bytes of the later blocks), plus freeing the old string. Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: segment
-- include: known
local B, H, position, end_mark = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), ARGV[8]
local index, is_joined = tonumber(ARGV[4]), end_mark ~= ARGV[6]

-- Returns the later blocks; or nil and the reply that refuses the call.
local function read_later(written)
  local made = redis.call('STRLEN', KEYS[3])
  local new = made == B + H and read_header(KEYS[3], B, H, made)
  if not new or new.mark ~= end_mark then
    return nil, {'REREAD'}
  elseif not is_listed(written, index) and redis.call('EXISTS', KEYS[2]) == 0 then
    return is_joined and ARGV[7] == '' and '' or nil, {'REREAD'}
  end
  local old, refused = read_known(KEYS[2], B, H, position, ARGV[6], ARGV[7])
  if refused then
    return nil, refused
  elseif (is_joined and new.base <= old.tip) or (not is_joined and new.base ~= position) then
    return nil, {'REREAD'}
  elseif position == old.tip then
    return ''
  elseif is_joined and ARGV[9] == '' then
    return nil, {'REREAD'}
  end
  local blocks = redis.call('GETRANGE', KEYS[2], old.journal + position - old.base, -1)
  -- A follower that knows the last block does not know the new content.
  return is_joined and blocks .. '\0\0' .. string.sub(blocks, -14, -9) .. ARGV[9] or blocks
end

local state, refused = read_state('incarnation', ARGV[1], 'expiresAt', 'written')
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
