-- Tests or adds elements in raw content, see raw-content, of one or more filters.
--
-- KEYS    for each content its state and bitmap; then its companion, if the library has one
-- ARGV    for each content 8 arguments: [1] the number of its keys, [2] version, [3] bits of the bitmap, [4] bits of an
--         element, [5] '1' if the bitmap is a library's, [6] the elements: the offset of each bit, 4 bytes each
--         [7] READ to test, WRITE to add, or REPLICATED to add and write in any case, so that replicas can confirm it
--         [8] insertions from which new elements are refused, 0 for no limit
-- Returns {'OK', reply, ...}  for each content one reply:
--         {'OK', answers}  one digit for each element. Test: 1 maybe, 0 no. Add: 1 new, 0 maybe added before, 2 refused
--         {'GROWN'}        nothing was added, because this or an earlier bitmap was too short and has grown by 4 MiB
--         {'CHANGED'}, {'KEY', key, problem}, {'DAMAGED'}  see raw
-- Complexity: O(bits of the elements). Writes if it adds.
-- include: typed
-- include: expiry
-- include: library
-- include: raw-content
local has_grown = false

local function has_all(bitmap, offsets, first, last)
  for i = first, last do
    if redis.call('GETBIT', bitmap, offsets[i]) == 0 then
      return false
    end
  end
  return true
end

local function test(raw, offsets, k)
  local answers = {}
  for first = 1, #offsets, k do
    answers[#answers + 1] = has_all(raw.bitmap, offsets, first, first + k - 1) and '1' or '0'
  end
  return {'OK', table.concat(answers)}
end

local function add(raw, offsets, k, most, is_sent)
  local answers, room, added = {}, (most == 0 and math.huge or most) - raw.insertions, 0
  for first = 1, #offsets, k do
    local changed = 0
    if added < room then
      for i = first, first + k - 1 do
        -- Redis turns a number argument back into text at every call, so the bit is a text.
        changed = changed + 1 - redis.call('SETBIT', raw.bitmap, offsets[i], '1')
      end
      answers[#answers + 1] = changed > 0 and '1' or '0'
      added = added + (changed > 0 and 1 or 0)
    else
      answers[#answers + 1] = has_all(raw.bitmap, offsets, first, first + k - 1) and '0' or '2'
    end
  end
  if added > 0 or is_sent then
    count_insertions(raw, added)
  end
  return {'OK', table.concat(answers)}
end

local function use(state_key, bitmap, companion, version, m, k, is_library, elements, what, most)
  local refused, raw = read_raw(state_key, bitmap, companion, version, m, k, is_library)
  if refused then
    return refused
  end
  local offsets, highest = {}, 0
  for at = 1, #elements, 4 do
    local offset = struct.unpack('>I4', elements, at)
    highest = math.max(highest, offset)
    offsets[#offsets + 1] = string.format('%.0f', offset)
  end
  if what == 'READ' then
    return test(raw, offsets, tonumber(k))
  end
  -- One step of growth takes 2 ms, so a call makes one.
  has_grown = has_grown or not reaches(raw, math.floor(highest / 8))
  return has_grown and {'GROWN'} or add(raw, offsets, tonumber(k), tonumber(most), what == 'REPLICATED')
end

local replies, key = {'OK'}, 1
for at = 1, #ARGV, 8 do
  local keys = tonumber(ARGV[at])
  replies[#replies + 1] = use(KEYS[key], KEYS[key + 1], keys == 3 and KEYS[key + 2], unpack(ARGV, at + 1, at + 7))
  key = key + keys
end
return replies
