-- Part of the scripts that use a bitmap under a library's key. Some libraries also keep a companion: a hash with
-- the shape of the filter, or a counter of its elements, whose key ends in ':c'. {'KEY', key, problem} refuses a call:
-- type, missing; bits: the bitmap is too long; config, counter: the companion belongs to another filter; field: a
-- number of the state is malformed.
local function is_counter(companion)
  return companion and string.sub(companion, -2) == ':c'
end

-- Returns nil and the number, which is nil without a counter; or the reply that refuses the call.
local function count_of(counter)
  local length = typed('STRLEN', counter)
  if not length then
    return {'KEY', counter, 'type'}
  elseif length > 15 then
    -- Lua cannot hold more digits, and another program's text may be huge.
    return {'KEY', counter, 'counter'}
  end
  local stored = redis.call('GET', counter)
  if not stored then
    return nil, nil
  elseif not string.find(stored, '^[1-9]%d*$') and stored ~= '0' then
    -- Redis cannot increment other texts.
    return {'KEY', counter, 'counter'}
  end
  return nil, tonumber(stored)
end

-- Returns nil, the length of the bitmap, and the number in its counter; or the reply that refuses the call.
local function read_library(bitmap, companion, m, k)
  local length = typed('STRLEN', bitmap)
  if not length then
    return {'KEY', bitmap, 'type'}
  elseif length > math.ceil(tonumber(m) / 8) then
    return {'KEY', bitmap, 'bits'}
  end
  if is_counter(companion) then
    local refused, count = count_of(companion)
    if refused then
      return refused
    elseif not count and length > 0 then
      return {'KEY', companion, 'missing'}
    -- The library empties a filter by an empty string and a counter of 0.
    elseif length == 0 and not (count == 0 and redis.call('EXISTS', bitmap) == 1) then
      return {'KEY', bitmap, 'missing'}
    end
    return nil, length, count
  end
  if companion then
    local stored = typed('HMGET', companion, 'size', 'hashIterations')
    if not stored then
      return {'KEY', companion, 'type'}
    elseif not (stored[1] and stored[2]) then
      return {'KEY', companion, 'missing'}
    elseif stored[1] ~= m or stored[2] ~= k then
      return {'KEY', companion, 'config'}
    end
  end
  if length == 0 then
    return {'KEY', bitmap, 'missing'}
  end
  return nil, length
end

-- The same, if the last keys of the call are a library's; nil if it has no such keys.
local function read_last(keys, m, k)
  if keys ~= '0' then
    local first = #KEYS - keys + 1
    return read_library(KEYS[first], KEYS[first + 1], m, k)
  end
end

-- The earliest of an expiry, '' for none, and the expiries of keys.
local function earliest(expiry, ...)
  local now, first = milliseconds(), tonumber(expiry)
  for _, key in ipairs({...}) do
    local left = redis.call('PTTL', key)
    -- Reading an expiry takes a moment, so less than a second is no difference.
    if left >= 0 and (not first or now + left < first - 1000) then
      first = now + left
    end
  end
  return first and string.format('%.0f', first) or ''
end
