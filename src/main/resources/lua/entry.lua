-- Part of catalogue.
local function is_of(key, expected)
  local found = redis.call('TYPE', key).ok
  return found == expected or found == 'none'
end

-- The first key that holds another type; nil if none does.
local function wrong_key()
  for i, expected in ipairs({'zset', 'hash', 'zset'}) do
    if not is_of(KEYS[i], expected) then
      return KEYS[i]
    end
  end
end

-- The bytes of an entry, until when it is a reservation, and the owner; no owner if there is no entry.
local function parts(entry)
  local bytes, reserved, owner = string.match(entry, '^(%d+) %d+ (%d+) (.*)$')
  return tonumber(bytes or 0), tonumber(reserved or 0), owner
end

-- The number of filters that a field counts, and their bytes.
local function sums(field)
  local filters, bytes = string.match(redis.call('HGET', KEYS[2], field) or '', '^(%d+) (%d+)$')
  return tonumber(filters or 0), tonumber(bytes or 0)
end

-- Replaces an entry; '' stands for no entry. One command changes the entry and all sums, so a crash separates neither.
local function replace(name, former, entry)
  local totals, fields, unused = {}, {name, entry}, entry == '' and {name} or {}
  local function add(text, sign)
    local bytes, _, owner = parts(text)
    for _, field in ipairs(owner and {'=' .. owner, '*'} or {}) do
      local total = totals[field] or {sums(field)}
      totals[field] = {math.max(0, total[1] + sign), math.max(0, total[2] + sign * bytes)}
    end
  end
  add(former, -1)
  add(entry, 1)
  for field, total in pairs(totals) do
    table.insert(fields, field)
    table.insert(fields, string.format('%.0f %.0f', total[1], total[2]))
    if total[1] == 0 then table.insert(unused, field) end
  end
  redis.call('HSET', KEYS[2], unpack(fields))
  if #unused > 0 then redis.call('HDEL', KEYS[2], unpack(unused)) end
end

local function remove(name, former)
  if former ~= '' then
    replace(name, former, '')
  end
  redis.call('ZREM', KEYS[1], name)
  redis.call('ZREM', KEYS[3], name)
end
