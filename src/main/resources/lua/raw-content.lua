-- Part of the scripts that use raw content: one bitmap without header and journal, as libraries have it, under a
-- library's key or the key of segment 0. It grows as bits are set; all bits behind its end are 0. The state has the
-- length of own content, so that a string that is cut is damage. Needs library and expiry.
local STEP = 4194304

-- Returns nil and the content; or the reply that refuses the call.
local function read_raw(state_key, bitmap, companion, version, m, k, is_library)
  local state = typed('HMGET', state_key, 'version', 'written', 'insertions', 'expiresAt', 'length')
  if not state or state[1] ~= version then
    return {'CHANGED'}
  elseif state[3] == '' or not (is_number(state[3] or '') and is_number(state[4] or '') and is_number(state[5] or '')) then
    return {'KEY', state_key, 'field'}
  end
  local raw = {state_key = state_key, bitmap = bitmap, companion = companion, is_listed = state[2] == '\128',
    expiry = state[4], is_own = is_library ~= '1', insertions = tonumber(state[3] or '') or 0}
  raw.noted = raw.is_listed and tonumber(state[5] or '') or 0
  if not raw.is_own then
    local refused, length, count = read_library(bitmap, companion, m, k)
    raw.length, raw.insertions = length, count or raw.insertions
    return refused, raw
  end
  raw.length = typed('STRLEN', bitmap)
  if not raw.length then
    return {'KEY', bitmap, 'type'}
  elseif (raw.length == 0 and raw.is_listed) or raw.length < raw.noted or raw.length > math.ceil(tonumber(m) / 8) then
    return {'DAMAGED'}
  end
  return nil, raw
end

-- Notes how long own content has grown. If a crash cuts this off, it is longer than noted, which is no damage.
local function note_length(raw)
  local length = raw.is_own and redis.call('STRLEN', raw.bitmap) or 0
  if length > raw.noted then
    redis.call('HSET', raw.state_key, 'length', length)
  end
end

-- Whether a write may reach this byte. If not, the bitmap has grown by a step, for which Redis may copy all of it. Also
-- lists the content as written, after it has its expiry.
local function reaches(raw, last)
  if raw.is_own and not raw.is_listed then
    redis.call('SETBIT', raw.bitmap, 0, redis.call('GETBIT', raw.bitmap, 0))
    set_expiry(raw.bitmap, not_yet(raw.expiry))
    redis.call('HSET', raw.state_key, 'written', '\128')
  end
  if last < raw.length + STEP then
    return true
  end
  redis.call('SETBIT', raw.bitmap, string.format('%.0f', 8 * (raw.length + STEP) - 1), 0)
  note_length(raw)
  return false
end

local function count_insertions(raw, more)
  note_length(raw)
  redis.call('HINCRBY', raw.state_key, 'insertions', more)
  if is_counter(raw.companion) then
    redis.call('INCRBY', raw.companion, more)
  end
end
