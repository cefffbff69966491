-- Puts a filter that moved here from another slot in its new place, in one step for its readers.
-- From here on the filter bears the new name, and what is left under the old one only has to be
-- removed.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment, KEYS[6] source: all of the new name
-- KEYS[7] moves to this name, KEYS[8] hidden bits, KEYS[9] hidden bits of the next generation
-- ARGV[1] id of the move, ARGV[2] how long it may go on without a further step, in milliseconds
-- ARGV[3] '1' to replace a filter of the new name, '0' not to
-- ARGV[4] bytes of the bitmap, ARGV[5] of the next one, '0' for none
-- ARGV[6] deadline in Unix milliseconds, '0' for none
-- ARGV[7...10] how many texts follow for the state, the sets, the next state and the source
-- ARGV[11...] these: name, value, ...
-- Returns {'OK'}
--         {'LOST'}    the move was undone, or its bitmaps are not whole; nothing was changed
--         {'EXISTS'}  the new name is taken; nothing was changed
--         {'TARGET_WRONG_TYPE', key}  see guard and next; nothing was changed
--         {'MOVING', move}  see guard: the filter to be replaced moves itself; nothing was changed
-- Complexity: O(bits of one segment), for freeing what is replaced. Writes.
-- include: guard
-- include: next
-- include: deadline
-- include: clock
-- include: move
local status, _, from = move_entry(KEYS[7], ARGV[1])
if status ~= 'open' or redis.call('STRLEN', KEYS[8]) ~= tonumber(ARGV[4])
    or redis.call('STRLEN', KEYS[9]) ~= tonumber(ARGV[5]) then
  return {'LOST'}
end
local target = guard(KEYS[1], KEYS[2], nil)
if target and target[1] == 'MOVING' then
  return target
end
local taken = not (target and target[1] == 'GONE')
if not (target and target[1] == 'WRONG_TYPE') then
  target = guard_list(KEYS[3]) or foreign_next(KEYS[4], KEYS[5])
  local source = redis.pcall('HLEN', KEYS[6])
  if not target and type(source) == 'table' then
    target = refusal(source, 'source')
  end
end
if target then
  return {'TARGET_WRONG_TYPE', target[2]}
end
if taken and ARGV[3] ~= '1' then
  return {'EXISTS'}
end

-- What is overwritten is not removed first: while its slot is handed over a node of a cluster lets
-- nobody make a key again. And a key is renamed before a hash is written: of a script's writes Redis
-- refuses only the first for want of memory.
local first = 11
local function write(key, texts)
  local fields = {}
  for i = first, first + texts - 1, 2 do
    fields[ARGV[i]] = true
  end
  local old = redis.call('HGETALL', key)
  if texts > 0 then
    redis.call('HSET', key, unpack(ARGV, first, first + texts - 1))
  end
  first = first + texts
  for i = 1, #old, 2 do
    if not fields[old[i]] then
      redis.call('HDEL', key, old[i])
    end
  end
end
local dropped = {set_of(KEYS[1]), set_of(KEYS[4])}
redis.call('RENAME', KEYS[8], KEYS[2])
write(KEYS[1], tonumber(ARGV[7]))
local sets = tonumber(ARGV[8])
if sets > 0 then
  redis.call('HSET', KEYS[3], unpack(ARGV, first, first + sets - 1))
  first = first + sets
end
for _, set in ipairs(dropped) do
  keep_set(KEYS[3], set)
end
-- The list now may name segments that wait to be freed, which it must outlive; finish dates it.
redis.call('PERSIST', KEYS[3])
write(KEYS[4], tonumber(ARGV[9]))
if ARGV[5] ~= '0' then
  redis.call('RENAME', KEYS[9], KEYS[5])
elseif redis.call('EXISTS', KEYS[5]) == 1 then
  redis.call('UNLINK', KEYS[5])
end
write(KEYS[6], tonumber(ARGV[10]))
set_deadline(ARGV[6], KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6])
set_move(KEYS[7], ARGV[1], 'arrived', ARGV[2], from)
return {'OK'}
