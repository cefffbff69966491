-- Sets or removes the expiry of a filter, all its segments and the library's keys that it has adopted. An open rebuild
-- starts its timeout again, and expires with the filter if that is earlier.
--
-- KEYS[1] state; then the state of the next generation, only if it is known to exist, and the segments listed in
--         ARGV[10], in order; then the source, only if ARGV[4] is '1'; then the segments listed in ARGV[2], in order;
--         then the library's keys: bitmap, companion
-- ARGV[1] version, ARGV[2] the segments written, as the caller read them from the state
-- ARGV[3] expiry in Unix milliseconds, '' for none, or '+' and milliseconds from now
-- ARGV[4] '1' if the filter has a source, else ''
-- ARGV[5] the number of library's keys; ARGV[6] bits of the bitmap and ARGV[7] bits of an element
-- ARGV[8] bytes of a bitmap and of a header for each segment, '' to return no headers
-- ARGV[9] the number of keys of the next generation, ARGV[10] its segments written, as the caller read them
-- ARGV[11...] names and values of other fields of the state to set
-- Returns {'OK', milliseconds, state, {}, length, header, ...}  see found
--         {'WRITTEN', segments}  other segments were written; nothing was changed
--         {'DROPPING', note}     earlier content would be left behind: drop it first
--         {'KEY', key, problem}  see library; nothing was changed
--         {'NEXT_DAMAGED'}       a number of the next generation's state is missing or malformed; nothing was changed
--         {'CHANGED'}            see state; or it has another source or rebuild
-- Complexity: O(segments). Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: found
-- include: library
-- include: full
local state, refused = read_state('version', ARGV[1], 'written', 'dropped', 'expiresAt', 'source')
if refused then
  return refused
elseif state[3] ~= '' then
  return {'DROPPING', state[3]}
elseif state[2] ~= ARGV[2] then
  return {'WRITTEN', state[2]}
elseif state[5] ~= ARGV[4] then
  return {'CHANGED'}
end
local of_next = tonumber(ARGV[9])
local loaded = of_next > 0 and typed('HMGET', KEYS[2], 'written', 'expiresAt', 'idleTimeout')
if loaded == nil or (loaded and loaded[1] ~= ARGV[10]) then
  return {'CHANGED'}
end
for i = 2, loaded and 3 or 0 do
  if (loaded[i] or '') == '' or not is_number(loaded[i]) then
    return {'NEXT_DAMAGED'}
  end
end
local problem = read_last(ARGV[5], ARGV[6], ARGV[7])
if problem then
  return problem
end
begin_although_full(KEYS[1])
local expiry = asked_expiry(ARGV[3])
if loaded then
  redis.call('HSET', KEYS[2], 'filterExpiresAt', expiry)
  set_all(KEYS[2], 3, 1 + of_next, loaded[2], string.format('%.0f', rebuild_expiry(loaded[3], expiry)))
end
set_all(KEYS[1], 2 + of_next, #KEYS, state[4], expiry, unpack(ARGV, 11))
return changed(KEYS[1], 2 + of_next + (ARGV[4] == '1' and 1 or 0), ARGV[8])
