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
--         {'GONE'}, {'CHANGED'}  there is no such generation, or it has other content
--         {'FOLDED'}             another fold was faster
--         {'REREAD'}             the segment has another history
--         {'BEHIND'}             there are later blocks, and they may not stay
--         {'EXPIRED'}            the new string has expired; {'BROKEN'}: it does not match the arguments
--         {'DAMAGED', what}      missing, short, header, positions, or type; state: the state is not a hash
--         Any reply but OK: the segment is unchanged and the new string is deleted.
-- Complexity: O(bytes of the later blocks), plus freeing the old string. Writes.
-- include: typed
-- include: expiry
-- include: segment
-- include: known
local B, H, position, end_mark = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), ARGV[8]
local index, is_joined = tonumber(ARGV[4]), end_mark ~= ARGV[6]

-- Returns the later blocks; or nil and the reply that refuses the call.
local function read_later(written)
  local made = redis.call('STRLEN', KEYS[3])
  local new = made == B + H and read_header(KEYS[3], B, H, made)
  if made == 0 then
    return nil, {'EXPIRED'}
  elseif not new or new.mark ~= end_mark then
    return nil, {'BROKEN'}
  end
  local old, refused = read_known(KEYS[2], B, H, position, ARGV[6], ARGV[7])
  if refused and refused[2] == 'missing' and not is_listed(written, index) then
    return is_joined and ARGV[7] == '' and '' or nil, {'REREAD'}
  elseif refused then
    return nil, refused
  elseif (is_joined and new.base <= old.tip) or (not is_joined and new.base ~= position) then
    return nil, {'BROKEN'}
  elseif position == old.tip then
    return ''
  elseif is_joined and ARGV[9] == '' then
    return nil, {'BEHIND'}
  end
  local blocks = redis.call('GETRANGE', KEYS[2], old.journal + position - old.base, -1)
  -- A follower that knows the last block does not know the new content.
  return is_joined and blocks .. '\0\0' .. string.sub(blocks, -14, -9) .. ARGV[9] or blocks
end

local state, refused = read_generation(KEYS[1], ARGV[1], 'incarnation', 'expiresAt', 'written')
local written, blocks = state and state[3] or '', nil
if state then
  blocks, refused = read_later(written)
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
if not is_listed(written, index) then
  redis.call('HSET', KEYS[1], 'written', with_listed(written, index))
end
return {'OK'}
