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
local B, H, position, end_mark = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), ARGV[8]
local is_joined = end_mark ~= ARGV[6]

-- Returns a refusal; or nil, the later blocks, and the state's expiry and segments.
local function check()
  local state = typed('HMGET', KEYS[1], 'incarnation', 'expiresAt', 'written')
  if not state then
    return {'DAMAGED', 'state'}
  elseif state[1] ~= ARGV[1] then
    return {state[1] and 'CHANGED' or 'GONE'}
  end
  local expiry, written = state[2] or '', state[3] or ''
  local length, made = typed('STRLEN', KEYS[2]), redis.call('STRLEN', KEYS[3])
  if made == 0 then
    return {'EXPIRED'}
  elseif not length then
    return {'DAMAGED', 'type'}
  elseif length == 0 and is_listed(written, tonumber(ARGV[4])) then
    return {'DAMAGED', 'missing'}
  end
  local new = made == B + H and read_header(KEYS[3], B, H, made)
  if not new or new.mark ~= end_mark then
    return {'BROKEN'}
  elseif length == 0 then
    return (ARGV[7] ~= '' or not is_joined) and {'REREAD'} or nil, '', expiry, written
  end
  local old, damaged = read_header(KEYS[2], B, H, length)
  if damaged then
    return {'DAMAGED', damaged}
  elseif not stands(KEYS[2], old, position, ARGV[6]) then
    return {'REREAD'}
  elseif old.folded ~= tonumber(ARGV[7]) then
    return {'FOLDED'}
  elseif (is_joined and new.base <= old.tip) or (not is_joined and new.base ~= position) then
    return {'BROKEN'}
  elseif position == old.tip then
    return nil, '', expiry, written
  end
  local blocks = redis.call('GETRANGE', KEYS[2], old.journal + position - old.base, -1)
  if is_joined and ARGV[9] == '' then
    return {'BEHIND'}
  elseif is_joined then
    -- A follower that knows the last block does not know the new content.
    blocks = blocks .. '\0\0' .. string.sub(blocks, -14, -9) .. ARGV[9]
  end
  return nil, blocks, expiry, written
end

local refused, blocks, expiry, written = check()
if refused then
  redis.call('UNLINK', KEYS[3])
  return refused
end
if blocks ~= '' then
  redis.call('APPEND', KEYS[3], blocks)
end
set_expiry(KEYS[3], not_yet(expiry))
redis.call('RENAME', KEYS[3], KEYS[2])
if not is_listed(written, tonumber(ARGV[4])) then
  redis.call('HSET', KEYS[1], 'written', with_listed(written, tonumber(ARGV[4])))
end
return {'OK'}
