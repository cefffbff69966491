-- Tests or adds a few elements bit by bit, in a segment whose bitmap contains its whole journal.
--
-- KEYS[1] state, KEYS[2] segment
-- ARGV[1] version, ARGV[2] bytes of a bitmap, ARGV[3] of a header, ARGV[4] index of the segment
-- ARGV[5] bits of an element, ARGV[6] the elements: the offset of each bit, 3 bytes each
-- ARGV[7] only to add: mark of the block, ARGV[8] insertions from which new elements are refused; '' for no limit
-- ARGV[9] only to add: length in bytes from which a journal takes no more blocks, ARGV[10] '' for the first call; if it is
--         repeated, the milliseconds since the first one was sent
-- Returns {'OK', milliseconds, answers}  milliseconds: Redis's clock; answers: one digit for each element.
--                         Test: 1 maybe, 0 no. Add: 1 new, 0 maybe added before, 2 refused
--         {'AGAIN', bytes}  the block was appended by the first call. It ends these bytes and holds the new elements
--         {'UNKNOWN'}     the first call may have added elements, and a fold has dropped its block
--         {'JOURNALED'}   the bitmap is missing or lacks some blocks: use a copy
--         {'LONG'}        the journal is full: fold the segment first
--         {'EMPTY'}       the segment does not exist yet: the answer to tests is no; use advance to add
--         {'GONE'}, {'CHANGED'}  there is no such generation, or it has another version
--         {'DAMAGED', what}  missing, short, header, positions, or type; state: the state is not a hash
-- Complexity: O(bits of the elements). Writes if it adds.
-- include: typed
-- include: segment
local B, H, k, elements = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), ARGV[6]
local state = typed('HMGET', KEYS[1], 'version', 'written')
local length = typed('STRLEN', KEYS[2])
if not state then
  return {'DAMAGED', 'state'}
elseif state[1] ~= ARGV[1] then
  return {state[1] and 'CHANGED' or 'GONE'}
elseif not length then
  return {'DAMAGED', 'type'}
elseif length == 0 then
  return is_listed(state[2] or '', tonumber(ARGV[4])) and {'DAMAGED', 'missing'} or {'EMPTY'}
end
local segment, damaged = read_header(KEYS[2], B, H, length)
if damaged then
  return {'DAMAGED', damaged}
end
local mark, adds = ARGV[7], ARGV[7] ~= nil
if adds and ARGV[10] ~= '' then
  local journal = redis.call('GETRANGE', KEYS[2], segment.journal, -1)
  local found = string.find(journal, mark, 1, true)
  if found then
    return {'AGAIN', string.sub(journal, math.max(1, found - 8 - #elements), found + 7)}
  end
end
if segment.folded ~= segment.tip or segment.at == 0 then
  return {'JOURNALED'}
elseif adds and segment.tip - segment.base >= tonumber(ARGV[9]) then
  return {'LONG'}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local header = adds and redis.call('GETRANGE', KEYS[2], B + 24, B + 47)
local bits_set, insertions, newest = 0, 0, 0
if adds then
  bits_set, insertions, newest = struct.unpack('>I8I8I8', header)
end
local most, is_set, fields, news, answers = adds and tonumber(ARGV[8]) or math.huge, {}, {}, {}, {}
for first = 1, #elements, 3 * k do
  local unset = {}
  for at = first, first + 3 * k - 1, 3 do
    local high, middle, low = string.byte(elements, at, at + 2)
    local offset = 65536 * high + 256 * middle + low
    if not is_set[offset] and redis.call('GETBIT', KEYS[2], offset) == 0 then
      unset[offset] = true
      if not adds then
        break
      end
    end
  end
  local is_new = next(unset) ~= nil
  if adds and is_new and insertions < most then
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
-- If the first call has run, no element is new, and newest is not before it.
if adds and ARGV[10] ~= '' and #news == 0 and newest >= now - ARGV[10] then
  for _, answer in ipairs(answers) do
    if answer == '0' then
      return {'UNKNOWN'}
    end
  end
elseif #news > 0 then
  local block = struct.pack('>I2', #news) .. table.concat(news) .. struct.pack('>I6', now) .. mark
  redis.call('APPEND', KEYS[2], block)
  -- One command, so a crash leaves all of it or nothing. Without it the block is in the journal and will be folded.
  local at = 8 * B
  redis.call('BITFIELD', KEYS[2], 'SET', 'i64', at + 128, segment.tip + #block, 'SET', 'i64', at + 192, bits_set, 'SET',
    'i64', at + 256, insertions, 'SET', 'i64', at + 320, math.max(newest, now), unpack(fields))
end
return {'OK', now, table.concat(answers)}
