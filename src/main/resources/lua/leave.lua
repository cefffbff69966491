-- Removes a name from the catalogue, unless another caller changed its entry first.
--
-- KEYS[1] names, KEYS[2] usage, KEYS[3] deadlines: see enter
-- ARGV[1] name, ARGV[2] the entry the caller has read; '' for none
-- ARGV[3] '1' to keep a reservation, whose filter may be about to be created; else ''
-- Returns {'OK', entry}       '' if it was removed, else the reservation
--         {'CHANGED', entry}  the entry is different, '' for none; nothing was changed
--         {'WRONG_TYPE'}      a key holds another type
-- Complexity: O(log names). Writes.
-- include: entry
if are_keys_wrong() then
  return {'WRONG_TYPE'}
end
local former = redis.call('HGET', KEYS[2], ARGV[1]) or ''
if former ~= ARGV[2] then
  return {'CHANGED', former}
end
local _, reserved = parts(former)
if ARGV[3] == '1' and reserved > micros() / 1000 then
  return {'OK', former}
end
if former ~= '' then
  replace(ARGV[1], former, '')
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return {'OK', ''}
