-- Tests or adds a few elements bit by bit, in segments whose bitmaps contain their whole journals.
--
-- KEYS    for each segment its state, then itself
-- ARGV    for each segment 9 arguments: [1] version, [2] bytes of a bitmap, [3] of a header, [4] index of the segment,
--         [5] bits of an element, [6] the elements: the offset of each bit, 3 bytes each
--         [7] mark of the block, '' to test. Only to add: [8] insertions from which new elements are refused, 0 for no
--         limit; [9] length in bytes from which a journal takes no more blocks
-- Returns {'OK', reply, ...}  for each segment one reply:
--         {'OK', answers}  one digit for each element. Test: 1 maybe, 0 no. Add: 1 new, 0 maybe added before, 2 refused
--         {'JOURNALED'}   the bitmap is missing or lacks some blocks, or an add needs a fold or a segment: use a copy
--         {'CHANGED'}     there is no such generation with this version
--         {'DAMAGED'}     the segment is missing, malformed, or of another type
-- Complexity: O(bits of the elements). Writes if it adds.
-- include: typed
-- include: segment
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function use(state_key, key, version, B, H, index, k, elements, mark, most, limit)
  local adds = mark ~= ''
  local state, length = typed('HMGET', state_key, 'version', 'written'), typed('STRLEN', key)
  if not state or state[1] ~= version then
    return {'CHANGED'}
  elseif not length then
    return {'DAMAGED'}
  elseif length == 0 and not is_listed(state[2] or '', index) then
    return adds and {'JOURNALED'} or {'OK', string.rep('0', #elements / (3 * k))}
  end
  local segment = read_header(key, B, H, length)
  if not segment then
    return {'DAMAGED'}
  elseif segment.folded ~= segment.tip or segment.at == 0 or (adds and segment.tip - segment.base >= limit) then
    return {'JOURNALED'}
  end
  local bits_set, insertions, newest = 0, 0, 0
  if adds then
    bits_set, insertions, newest = struct.unpack('>I8I8I8', redis.call('GETRANGE', key, B + 24, B + 47))
  end
  local is_set, fields, news, answers = {}, {}, {}, {}
  for first = 1, #elements, 3 * k do
    local unset = {}
    for at = first, first + 3 * k - 1, 3 do
      local high, middle, low = string.byte(elements, at, at + 2)
      local offset = 65536 * high + 256 * middle + low
      if not is_set[offset] and redis.call('GETBIT', key, offset) == 0 then
        unset[offset] = true
        if not adds then
          break
        end
      end
    end
    local is_new = next(unset) ~= nil
    if adds and is_new and (most == 0 or insertions < most) then
      news[#news + 1], insertions = string.sub(elements, first, first + 3 * k - 1), insertions + 1
      for offset in pairs(unset) do
        is_set[offset], bits_set = true, bits_set + 1
        local last = #fields
        fields[last + 1], fields[last + 2], fields[last + 3], fields[last + 4] = 'SET', 'u1', offset, 1
      end
      answers[#answers + 1] = '1'
    else
      answers[#answers + 1] = adds and (is_new and '2' or '0') or (is_new and '0' or '1')
    end
  end
  if #news > 0 then
    local block = struct.pack('>I2', #news) .. table.concat(news) .. struct.pack('>I6', now) .. mark
    redis.call('APPEND', key, block)
    -- One command, so a crash leaves all of it or nothing. Without it the block is in the journal and will be folded.
    local at = 8 * B
    redis.call('BITFIELD', key, 'SET', 'i64', at + 128, segment.tip + #block, 'SET', 'i64', at + 192, bits_set, 'SET',
      'i64', at + 256, insertions, 'SET', 'i64', at + 320, math.max(newest, now), unpack(fields))
  end
  return {'OK', table.concat(answers)}
end

local replies = {'OK'}
for i = 1, #KEYS / 2 do
  local version, B, H, index, k, elements, mark, most, limit = unpack(ARGV, 9 * i - 8, 9 * i)
  replies[i + 1] = use(KEYS[2 * i - 1], KEYS[2 * i], version, tonumber(B), tonumber(H), tonumber(index), tonumber(k),
    elements, mark, tonumber(most), tonumber(limit))
end
return replies
