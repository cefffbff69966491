-- Deletes a filter. Its segments expire within a minute, a few at a time, because freeing all at once takes too long.
--
-- KEYS[1] state, KEYS[2] state of the next generation, KEYS[3] source; then the library's keys that are deleted too:
--         bitmap, companion; then the segments listed in ARGV[2], in order
-- ARGV[1] version; '' to finish a deletion that was cut off, ARGV[2] the segments written, as the caller read them from
--         the state
-- ARGV[3] the number of library's keys; ARGV[4] bits of the bitmap and ARGV[5] bits of an element. A filter that has
--         adopted a bitmap has no segments
-- ARGV[6] '1' if the caller knows the next generation, and ARGV[7] its segments written, which the caller drops
-- Returns {'OK'}
--         {'WRITTEN', segments}  other segments were written; nothing was changed
--         {'DROPPING', note}     earlier content would be left behind: drop it first
--         {'KEY', key, problem}  see library; nothing was changed
--         {'CHANGED'}            see state; or other segments of the next generation were written, or it expired
-- Complexity: O(segments). Writes.
-- include: typed
-- include: state
-- include: library
-- include: dropped
local state, refused = read_state('version', ARGV[1], 'written', 'dropped', 'next')
if refused then
  return refused
elseif state[3] ~= '' then
  return {'DROPPING', state[3]}
elseif state[2] ~= ARGV[2] then
  return {'WRITTEN', state[2]}
elseif ARGV[6] == '1' and has_written_more(KEYS[2], ARGV[7]) then
  return {'CHANGED'}
end
local problem = read_last(ARGV[3], ARGV[4], ARGV[5])
if problem and problem[3] ~= 'missing' then
  return problem
end
-- The filter no longer exists from here, even if a crash cuts off the rest.
redis.call('HDEL', KEYS[1], 'version')
local others = 3 + ARGV[3]
drop_soon(others + 1)
-- Otherwise KEYS[2] may be a rebuild that was to become this filter, and still can.
if ARGV[1] == '' or state[4] ~= '' then
  redis.call('UNLINK', KEYS[2])
end
redis.call('UNLINK', KEYS[1], unpack(KEYS, 3, others))
return {'OK'}
