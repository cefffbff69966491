-- Adds a name to the catalogue, replaces its entry or removes it, unless another caller changed it first. Keeps the
-- totals of each owner and of all filters, and refuses what exceeds a quota.
--
-- KEYS[1] names, KEYS[2] usage, KEYS[3] deadlines, see docs/storage-layout.md. An entry of usage is text, in the order
--         documented there, separated by spaces
-- ARGV[1] name, ARGV[2] the entry the caller has read, '' for none; '*' to replace any entry, and keep its bytes if it
--         has more
-- ARGV[3] bytes, '' to remove the name; ARGV[4] owner, '' for none, ARGV[5] expiry in Unix milliseconds, '' for none
-- ARGV[6] '' if the entry describes what exists, 'KEEP' to leave it while it is a reservation; else the entry is a
--         reservation, to be checked after this many milliseconds
-- ARGV[7] the most filters of the owner, ARGV[8] the most bytes, ARGV[9] and ARGV[10] of all filters; 0 for no limit
-- ARGV[11] another name to remove, and ARGV[12] its entry that the caller has read; '' for none
-- Returns {'OK', entry}       '' if the name was removed
--         {'HELD', entry}     the entry is a reservation
--         {'CHANGED', entry}  an entry is different; returns the entry of the name, '' for none; nothing was changed
--         {'FILTERS', all, filters, 1, name, ...}, {'BYTES', all, bytes, more, name, ...}  over the quota of the owner
--                             (all: 0) or of all filters (all: 1): the total, the additional amount needed, and up to
--                             100 names to check before another try; nothing was changed
--         {'RESERVED'}        another owner is creating the filter, and has the entry that the caller has read
--         {'WRONG_TYPE', key} this key holds another type
-- Complexity: O(log names). Writes.
-- include: entry
-- include: full
local name, bytes, owner, expiry = ARGV[1], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local wrong = wrong_key()
if wrong then
  return {'WRONG_TYPE', wrong}
end
local former, other = redis.call('HGET', KEYS[2], name) or '', redis.call('HGET', KEYS[2], ARGV[11]) or ''
if (ARGV[2] ~= '*' and former ~= ARGV[2]) or other ~= ARGV[12] then
  return {'CHANGED', former}
end
local held_bytes, held_until, held_owner = parts(former)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
if ARGV[6] == 'KEEP' and held_until > now / 1000 then
  return {'HELD', former}
end
local grace = tonumber(ARGV[6])
if not grace then
  -- What was deleted must not count.
  begin_although_full(KEYS[2])
end
if not bytes then
  remove(name, former)
  return {'OK', ''}
elseif grace and ARGV[2] ~= '*' and held_owner and held_owner ~= owner and held_until > now / 1000 then
  return {'RESERVED'}
end
local function refusal(status, all, total, more)
  local millis = string.format('%.0f', now / 1000)
  return {status, all, total, more, unpack(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', millis, 'LIMIT', 0, 100))}
end
if ARGV[2] == '*' then
  bytes = math.max(bytes, held_bytes)
end
for all = 0, 1 do
  local filters, held = sums(all == 1 and '*' or '=' .. owner)
  local is_new, more = true, bytes
  if held_owner and (all == 1 or held_owner == owner) then
    if ARGV[2] == '*' then
      is_new, more = false, bytes - held_bytes
    else
      -- The filter of the entry is gone. A rename may count it under its new name already.
      filters, held = filters - 1, held - held_bytes
    end
  end
  local max_filters, max_bytes = tonumber(ARGV[7 + 2 * all]), tonumber(ARGV[8 + 2 * all])
  if max_filters > 0 and is_new and filters + 1 > max_filters then
    return refusal('FILTERS', all, filters, 1)
  elseif max_bytes > 0 and more > 0 and held + more > max_bytes then
    return refusal('BYTES', all, held, more)
  end
end
local check, reserved = expiry, 0
if grace then
  reserved = math.floor(now / 1000) + grace
  check = math.min(expiry or reserved, reserved)
end
local entry = string.format('%.0f %.0f %.0f %s', bytes, now, reserved, owner)
redis.call('ZADD', KEYS[1], 0, name)
replace(name, former, entry)
if check then
  redis.call('ZADD', KEYS[3], string.format('%.0f', check), name)
else
  redis.call('ZREM', KEYS[3], name)
end
if ARGV[11] ~= '' then
  remove(ARGV[11], other)
end
return {grace and 'HELD' or 'OK', entry}
