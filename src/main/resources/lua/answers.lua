-- Part of bits. Tests elements in order, each of k bits: the offset of each bit is a number of some bytes. To add, those
-- that are new are found, as far as there is room; all others are refused.
-- Returns a digit for each element, the new elements, and the arguments of BITFIELD that set their bits.
local function find_answers(key, elements, bytes, k, adds, room)
  local is_set, fields, news, answers = {}, {}, {}, {}
  for first = 1, #elements, bytes * k do
    local unset = {}
    for at = first, first + bytes * (k - 1), bytes do
      local offset = struct.unpack('>I' .. bytes, elements, at)
      if not is_set[offset] and redis.call('GETBIT', key, offset) == 0 then
        unset[offset] = true
        if not adds then
          break
        end
      end
    end
    local is_new = next(unset) ~= nil
    if adds and is_new and #news < room then
      news[#news + 1] = string.sub(elements, first, first + bytes * k - 1)
      for offset in pairs(unset) do
        is_set[offset] = true
        local last = #fields
        fields[last + 1], fields[last + 2], fields[last + 3], fields[last + 4] = 'SET', 'u1', offset, 1
      end
      answers[#answers + 1] = '1'
    else
      answers[#answers + 1] = adds and (is_new and '2' or '0') or (is_new and '0' or '1')
    end
  end
  return table.concat(answers), news, fields
end
