-- Tests, adds, counts or reads in raw content, see raw-content.
--
-- KEYS[1] state, KEYS[2] bitmap; then the companion, if the library has one
-- ARGV[1] version, ARGV[2] bits of the bitmap, ARGV[3] bits of an element, ARGV[4] '1' if the bitmap is a library's
-- ARGV[5] TEST, ADD, COUNT or READ
-- TEST, ADD: ARGV[6] the elements: the offset of each bit, 4 bytes each, at most 1,024
-- ADD: ARGV[7] insertions from which new elements are refused, '' for no limit; ARGV[8] '1' to write in any case, so
--      that replicas can confirm it
-- COUNT, READ: ARGV[6] the first and ARGV[7] the last byte
-- Returns {'OK', answers}  one digit for each element. TEST: 1 maybe, 0 no. ADD: 1 new, 0 maybe added before, 2 refused
--         {'OK', bits set, insertions}  COUNT
--         {'OK', bytes}    READ; fewer at the end of the bitmap, after which all are 0
--         {'GROWN'}        ADD: the bitmap was too short and has grown by 4 MiB: call again; nothing else was changed
--         {'GONE'}, {'CHANGED'}  there is no such generation, or it has another version
--         {'KEY', key, problem}  see library
--         {'DAMAGED', what}  state: not a hash. Own content: missing, type; length: longer than it can be
-- Complexity: O(bits of the elements) or O(bytes). Writes if it adds.
-- include: typed
-- include: expiry
-- include: library
-- include: raw-content
local refused, raw = read_raw(KEYS[2], KEYS[3])
if refused then
  return refused
end
local bitmap, what, k = KEYS[2], ARGV[5], tonumber(ARGV[3])
if what == 'COUNT' then
  return {'OK', redis.call('BITCOUNT', bitmap, ARGV[6], ARGV[7]), string.format('%.0f', raw.insertions)}
elseif what == 'READ' then
  return {'OK', redis.call('GETRANGE', bitmap, ARGV[6], ARGV[7])}
end
local elements, offsets, highest = ARGV[6], {}, 0
for at = 1, #elements, 4 do
  local offset = struct.unpack('>I4', elements, at)
  highest = math.max(highest, offset)
  offsets[#offsets + 1] = string.format('%.0f', offset)
end
local function has_all(first)
  for i = first, first + k - 1 do
    if redis.call('GETBIT', bitmap, offsets[i]) == 0 then
      return false
    end
  end
  return true
end

local answers = {}
if what == 'TEST' then
  for first = 1, #offsets, k do
    answers[#answers + 1] = has_all(first) and '1' or '0'
  end
  return {'OK', table.concat(answers)}
end
if not reaches(raw, math.floor(highest / 8)) then
  return {'GROWN'}
end
local room, added = ARGV[7] == '' and math.huge or tonumber(ARGV[7]) - raw.insertions, 0
for first = 1, #offsets, k do
  local changed = 0
  if added < room then
    for i = first, first + k - 1 do
      -- Redis turns a number argument back into text at every call, so the bit is a text.
      changed = changed + 1 - redis.call('SETBIT', bitmap, offsets[i], '1')
    end
    answers[#answers + 1] = changed > 0 and '1' or '0'
    added = added + (changed > 0 and 1 or 0)
  else
    answers[#answers + 1] = has_all(first) and '0' or '2'
  end
end
if added > 0 or ARGV[8] == '1' then
  count_insertions(raw, added)
end
return {'OK', table.concat(answers)}
