-- Part of the scripts that use Redis's clock or set an expiry.
local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A rebuild expires after a time without a load, but never after its filter, whose expiry may be ''.
local function rebuild_expiry(timeout, filter_expiry)
  return math.min(milliseconds() + tonumber(timeout), tonumber(filter_expiry) or math.huge)
end

-- The expiry that a caller asks for: Unix milliseconds, '' for none, or '+' and milliseconds from now.
local function asked_expiry(text)
  local millis = string.match(text, '^%+(%d+)$')
  return millis and string.format('%.0f', milliseconds() + millis) or text
end

local function set_expiry(key, expiry)
  if (expiry or '') == '' then
    return redis.call('PERSIST', key)
  end
  return redis.call('PEXPIREAT', key, expiry)
end

-- Sets the expiry of a generation and of the keys from first to last, and perhaps fields of its state. None of them may
-- expire before the state, even if a crash cuts this off.
local function set_all(state_key, first, last, former, expiry, ...)
  local is_later = expiry == '' or (former ~= '' and tonumber(expiry) > tonumber(former))
  local fields = {...}
  local function set_state()
    redis.call('HSET', state_key, 'expiresAt', expiry, unpack(fields))
    set_expiry(state_key, expiry)
  end
  if not is_later then
    set_state()
  end
  for i = first, last do
    set_expiry(KEYS[i], expiry)
  end
  if is_later then
    set_state()
  end
end

-- The expiry for a key that the script writes to afterwards. A filter still exists in its last millisecond, but an
-- expiry that has passed by the time it is set deletes a key at once, and a later write creates it again without one.
-- So such a key may outlive its filter by a second, more than a script takes.
local function not_yet(expiry)
  return (expiry or '') == '' and '' or string.format('%.0f', math.max(expiry, milliseconds() + 1000))
end
