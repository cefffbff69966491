-- Reads some filters as find does, those that are whole and have bits of their own. It looks at each only once and
-- answers one text for it, so that long lists take Redis a third of the time, and who reads the answers less too.
--
-- Three keys a filter:
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] source
-- ARGV none
-- Returns {'OK', text, ...}  for each filter, in order, parts with a zero byte between them: how many belong to its
--                            state, how many to its source, then field, value, ... of the state, see clock, but
--                            not its mark, which may be any bytes; and those of the source, if there is one that
--                            can be read. '' for anything else, about which find tells
--         {'MOVING', move}   see guard
-- Complexity: O(filters). Read-only.
-- include: clock
local function fields_at(key)
  local fields = redis.pcall('HGETALL', key)
  return fields.err and {} or fields
end

local function is_whole(state, bits)
  local length = redis.pcall('STRLEN', bits)
  local segment_bits = tonumber(state.segmentBits)
  local base, folded, tip = tonumber(state.base or 0), tonumber(state.folded or 0), tonumber(state.tip or 0)
  if type(length) == 'table' or not (state.generation and segment_bits and base and folded and tip) then
    return false
  end
  -- As guard has it.
  local spare = 8 * (length - (tip - base)) - segment_bits
  return base <= folded and folded <= tip and spare >= 0 and spare < 8
end

local replies = {'OK'}
for key = 1, #KEYS, 3 do
  local fields, state = fields_at(KEYS[key]), {}
  for i = 1, #fields, 2 do
    state[fields[i]] = fields[i + 1]
    if fields[i] == 'mark' then
      fields[i + 1] = ''
    end
  end
  if state.moving then
    return {'MOVING', state.moving}
  elseif state.redisKey or not is_whole(state, KEYS[key + 1]) then
    replies[#replies + 1] = ''
  else
    if state.window then
      fields[#fields + 1] = 'now'
      fields[#fields + 1] = string.format('%.0f', now())
    end
    local source = fields_at(KEYS[key + 2])
    local text = #fields .. '\0' .. #source .. '\0' .. table.concat(fields, '\0')
    if #source > 0 then
      text = text .. '\0' .. table.concat(source, '\0')
    end
    replies[#replies + 1] = text
  end
end
return replies
