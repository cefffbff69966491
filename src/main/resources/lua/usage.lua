-- What is known of the names that count for quotas, and of how many bytes each takes. Included by
-- the scripts that keep it.
--
-- The last three keys of a call are
-- names:   sorted set of those that count
-- entries: hash from name to "change made token,bytes,until ...": the number of its last
--         change, the bytes of what was made, '-' for nothing, and the reservations. A name takes
--         the most of these: what is reserved will take the place of what was made.
-- totals:  hash from '=' .. prefix to the bytes of all names that begin with it; from
--         '>' .. prefix, while these are being added up, to the last name that was; and
--         '/names' how many names there are, '/change' the number of the last change,
--         '/ready' that all filters there were have been counted, '/count' the id of who counts
--
-- is_whole()                  whether no key was lost
-- read(name)                  {change=, made=, held={token={bytes=, till=}}}, bytes taken or nil
-- write(name, entry, before)  before: bytes taken so far, or nil
-- look(name, bytes, at, change, token)  notes what was found under a name, and drops reservations that
--                             are over at this Unix time in milliseconds; answers whether it was changed
--                             since its number was change, nil: it was not. Then it only drops token
--                             bytes: '' for nothing, '=' for as many as before: it is damaged
-- Complexity: O(length of the name + log of names)
local names, entries, totals = KEYS[#KEYS - 2], KEYS[#KEYS - 1], KEYS[#KEYS]

local function is_whole()
  local count = redis.call('HLEN', entries)
  return count == redis.call('ZCARD', names)
    and count == tonumber(redis.call('HGET', totals, '/names') or '0')
end

local function taken(entry)
  local most = entry.made
  for _, held in pairs(entry.held) do
    most = math.max(most or 0, held.bytes)
  end
  return most
end

local function parse(stored)
  local entry = {change = '0', held = {}}
  if stored then
    local change, made, rest = string.match(stored, '^(%d+) (%S+)(.*)$')
    entry.change, entry.made = change, tonumber(made)
    for token, bytes, till in string.gmatch(rest, '(%w+),(%d+),(%d+)') do
      entry.held[token] = {bytes = tonumber(bytes), till = tonumber(till)}
    end
  end
  return entry, taken(entry)
end

local function read(name)
  return parse(redis.call('HGET', entries, name))
end

local function text(entry)
  local parts = {entry.made and string.format('%.0f', entry.made) or '-'}
  for token, held in pairs(entry.held) do
    parts[#parts + 1] = string.format('%s,%.0f,%.0f', token, held.bytes, held.till)
  end
  return table.concat(parts, ' ')
end

-- The totals that a name is in. One that is being added up has those up to the last name only; the
-- order of names is that of the set, as Lua's depends on the locale.
local function totals_of(name)
  local fields = {}
  for length = 0, #name do
    fields[length + 1] = '=' .. string.sub(name, 1, length)
  end
  local found = {}
  local values = redis.call('HMGET', totals, unpack(fields))
  for i, field in ipairs(fields) do
    if values[i] then
      local last = redis.call('HGET', totals, '>' .. string.sub(field, 2))
      if not last
          or (last ~= '' and redis.call('ZLEXCOUNT', names, '(' .. last, '[' .. name) == 0) then
        found[#found + 1] = field
      end
    end
  end
  return found
end

local function next_change()
  if redis.call('HEXISTS', totals, '/change') == 0 then
    -- Larger than any that was given before the key was lost.
    local time = redis.call('TIME')
    redis.call('HSET', totals, '/change', time[1] .. string.format('%06d', tonumber(time[2])))
  end
  return string.format('%.0f', redis.call('HINCRBY', totals, '/change', '1'))
end

local function write(name, entry, before)
  local after = taken(entry)
  if not after then
    if before then
      local with = totals_of(name)
      redis.call('HDEL', entries, name)
      redis.call('ZREM', names, name)
      redis.call('HINCRBY', totals, '/names', '-1')
      for _, field in ipairs(with) do
        redis.call('HINCRBY', totals, field, string.format('%.0f', -before))
      end
    end
    return
  end
  redis.call('HSET', entries, name, next_change() .. ' ' .. text(entry))
  if not before then
    redis.call('ZADD', names, '0', name)
    redis.call('HINCRBY', totals, '/names', '1')
  end
  local more = after - (before or 0)
  if more ~= 0 then
    for _, field in ipairs(totals_of(name)) do
      redis.call('HINCRBY', totals, field, string.format('%.0f', more))
    end
  end
end

local function look(name, bytes, at, change, token)
  local entry, before = read(name)
  local was = text(entry)
  entry.held[token or ''] = nil
  local changed = change and entry.change ~= change
  if not changed then
    for held, reserved in pairs(entry.held) do
      if reserved.till < at then
        entry.held[held] = nil
      end
    end
    entry.made = bytes == '=' and (entry.made or 0) or tonumber(bytes)
  end
  if text(entry) ~= was then
    write(name, entry, before)
  end
  return changed
end
