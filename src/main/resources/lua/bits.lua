-- Tests or adds a few elements bit by bit, in segments whose bitmaps contain their whole journals, and in raw content,
-- see raw-content.
--
-- KEYS    for each string of bits its state, then itself; then its companion, if it is a library's that has one
-- ARGV    for each 11 arguments: [1] the number of its keys, [2] version, [3] the elements: the offset of each bit, 3
--         bytes each, in raw content 4; [4] bits of an element
--         [5] READ to test, WRITE to add, or REPLICATED to add and write in any case, so that replicas can confirm it
--         [6] insertions from which new elements are refused, 0 for no limit
--         A segment: [7] its index, [8] bytes of a bitmap, [9] of a header, [10] mark of the block that adds elements,
--         [11] length in bytes from which a journal takes no more blocks
--         Raw content: [7] '', [8] bits of the bitmap, [9] '1' if the bitmap is a library's, [10] the last byte with a
--         bit of the elements, [11] ''
-- Returns {'OK', reply, ...}  for each string one reply:
--         {'OK', answers}  one digit for each element. Test: 1 maybe, 0 no. Add: 1 new, 0 maybe added before, 2 refused
--         {'JOURNALED'}   the bitmap is missing or lacks some blocks, or an add needs a fold or a segment: use a copy
--         {'LATER'}       nothing was added: a bitmap has grown by 4 MiB, or the add could move the segment, see moves
--         {'CHANGED'}     there is no such generation with this version
--         {'DAMAGED'}     the segment is missing or malformed; for raw content see raw
--         {'KEY', key, problem}  see library; type: also of the segment
-- Complexity: O(bits of the elements). Writes if it adds.
-- include: typed
-- include: expiry
-- include: segment
-- include: moves
-- include: library
-- include: raw-content
-- include: answers
local now, has_grown = milliseconds(), false

local function room(most, insertions)
  return most == '0' and math.huge or most - insertions
end

local function use_segment(i, state_key, key)
  local version, elements, k, what, most, index, B, H, mark, limit = unpack(ARGV, i + 1, i + 10)
  local adds = what ~= 'READ'
  B, H, k, index, limit = tonumber(B), tonumber(H), tonumber(k), tonumber(index), tonumber(limit)
  local state, length = typed('HMGET', state_key, 'version', 'written'), typed('STRLEN', key)
  if not state or state[1] ~= version then
    return {'CHANGED'}
  elseif not length then
    return {'KEY', key, 'type'}
  elseif length == 0 and not is_listed(state[2] or '', index) then
    return adds and {'JOURNALED'} or {'OK', string.rep('0', #elements / (3 * k))}
  end
  local segment = read_header(key, B, H, length)
  if not segment then
    return {'DAMAGED'}
  elseif segment.folded ~= segment.tip or segment.at == 0 or (adds and segment.tip - segment.base >= limit) then
    return {'JOURNALED'}
  end
  local answers, news, fields = find_answers(key, elements, 3, k, adds, room(most, segment.insertions))
  if #news == 0 then
    return {'OK', answers}
  elseif must_wait(length) then
    return {'LATER'}
  end
  local block = struct.pack('>I2', #news) .. table.concat(news) .. struct.pack('>I6', now) .. mark
  local at, before = 8 * B, measured(key, length)
  redis.call('APPEND', key, block)
  count_move(key, length, before)
  -- One command, so a crash leaves all of it or nothing. Without it the block is in the journal and will be folded.
  redis.call('BITFIELD', key, 'SET', 'i64', at + 128, segment.tip + #block, 'SET', 'i64', at + 192,
    segment.bits_set + #fields / 4, 'SET', 'i64', at + 256, math.min(segment.insertions + #news, MOST_INSERTIONS),
    'SET', 'i64', at + 320, math.max(segment.newest, now), unpack(fields))
  return {'OK', answers}
end

local function use_raw(i, state_key, bitmap, companion)
  local version, elements, k, what, most, _, m, is_library, last = unpack(ARGV, i + 1, i + 9)
  local adds = what ~= 'READ'
  local refused, raw = read_raw(state_key, bitmap, companion, version, m, k, is_library)
  if refused then
    return refused
  end
  -- One step of growth takes 2 ms, so a call makes one.
  has_grown = has_grown or (adds and not reaches(raw, tonumber(last)))
  if has_grown then
    return {'LATER'}
  end
  local answers, news, fields = find_answers(bitmap, elements, 4, tonumber(k), adds, room(most, raw.insertions))
  -- Lua cannot unpack more than 8,000 values.
  for first = 1, #fields, 4000 do
    redis.call('BITFIELD', bitmap, unpack(fields, first, math.min(first + 3999, #fields)))
  end
  if #news > 0 or what == 'REPLICATED' then
    count_insertions(raw, #news)
  end
  return {'OK', answers}
end

local replies, key = {'OK'}, 1
for i = 1, #ARGV, 11 do
  local keys = tonumber(ARGV[i])
  local use = ARGV[i + 6] == '' and use_raw or use_segment
  replies[#replies + 1] = use(i, KEYS[key], KEYS[key + 1], keys == 3 and KEYS[key + 2])
  key = key + keys
end
return replies
