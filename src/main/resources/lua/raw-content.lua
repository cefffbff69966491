-- Part of the scripts that use raw content: one bitmap without header and journal, as libraries have it, under a
-- library's key or the key of segment 0. It grows as bits are set; all bits behind its end are 0. Needs library
-- and expiry.
local STEP = 4194304

-- Returns nil and the content; or the reply that refuses the call.
local function read_raw(state_key, bitmap, companion, version, m, k, is_library)
  local state = typed('HMGET', state_key, 'version', 'written', 'insertions', 'expiresAt')
  if not state or state[1] ~= version then
    return {'CHANGED'}
  end
  local raw = {state_key = state_key, bitmap = bitmap, companion = companion, is_listed = state[2] == '\128',
    expiry = state[4], is_own = is_library ~= '1', insertions = tonumber(state[3] or 0)}
  if not raw.is_own then
    local refused, length, count = read_library(bitmap, companion, m, k)
    raw.length, raw.insertions = length, count or raw.insertions
    return refused, raw
  end
  raw.length = typed('STRLEN', bitmap)
  if not raw.length or (raw.length == 0 and raw.is_listed) or raw.length > math.ceil(tonumber(m) / 8) then
    return {'DAMAGED'}
  end
  return nil, raw
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
  return false
end

local function count_insertions(raw, more)
  redis.call('HINCRBY', raw.state_key, 'insertions', more)
  if is_counter(raw.companion) then
    redis.call('INCRBY', raw.companion, more)
  end
end
