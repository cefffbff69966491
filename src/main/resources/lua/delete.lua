-- Deletes a filter. Its segments expire within a minute, a few at a time, because freeing all at once takes too long.
--
-- KEYS[1] state; then the state of the next generation, only if it is known to exist; then the source, only if ARGV[4]
--         is '1'; then the library's keys that are deleted too: bitmap, companion; then the segments listed in ARGV[2],
--         in order
-- ARGV[1] version; '' to finish a deletion that was cut off, ARGV[2] the segments written, as the caller read them from
--         the state
-- ARGV[3] the number of keys between the state and the segments; ARGV[4] '1' if the filter has a source, else ''
-- ARGV[5] the number of library's keys; ARGV[6] bits of the bitmap and ARGV[7] bits of an element. A filter that has
--         adopted a bitmap has no segments
-- ARGV[8] '1' if the caller knows the next generation, and ARGV[9] its segments written, which the caller drops
-- Returns {'OK'}
--         {'WRITTEN', segments}  other segments were written; nothing was changed
--         {'DROPPING', note}     earlier content would be left behind: drop it first
--         {'KEY', key, problem}  see library; nothing was changed
--         {'CHANGED'}            see state; or it has another source, or other segments of the next generation were
--                                written, or it expired
-- Complexity: O(segments). Writes.
-- include: typed
-- include: state
-- include: library
-- include: dropped
local state, refused = read_state('version', ARGV[1], 'written', 'dropped', 'source')
if refused then
  return refused
elseif state[3] ~= '' then
  return {'DROPPING', state[3]}
elseif state[2] ~= ARGV[2] then
  return {'WRITTEN', state[2]}
elseif (ARGV[1] ~= '' and (state[4] == '1') ~= (ARGV[4] == '1'))
  or (ARGV[8] == '1' and has_written_more(KEYS[2], ARGV[9])) then
  return {'CHANGED'}
end
local problem = read_last(ARGV[5], ARGV[6], ARGV[7])
if problem and problem[3] ~= 'missing' then
  return problem
end
-- The filter no longer exists from here, even if a crash cuts off the rest.
redis.call('HDEL', KEYS[1], 'version')
local others = tonumber(ARGV[3])
drop_soon(2 + others)
redis.call('UNLINK', unpack(KEYS, 1, 1 + others))
return {'OK'}
