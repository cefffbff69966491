-- Empties a filter: starts a new generation without segments, and drops the old content or notes it, to be dropped.
--
-- KEYS[1] state; then the library's keys that the filter has adopted: bitmap, companion; or segments of the old content
-- ARGV[1] version, ARGV[2] the new version, ARGV[3] home and ARGV[4] incarnation of its segments
-- ARGV[5] the number of library's keys; ARGV[6] bits of the bitmap and ARGV[7] bits of an element
-- ARGV[8] the number of segments in KEYS, and ARGV[9] the note of the content if these are all of it, else ''
-- Returns {'OK', milliseconds, state, {}}  see found
--         {'OPEN'}               a rebuild is open, and its commit would bring back elements
--         {'DROPPING', note}     earlier content is not dropped yet: drop it first
--         {'KEY', key, problem}  see library; nothing was changed
--         {'CHANGED'}            see state
-- Complexity: O(1). Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: found
-- include: library
-- include: dropped
-- include: full
local state, refused = read_state('version', ARGV[1], 'home', 'incarnation', 'written', 'next', 'dropped', 'generation')
if refused then
  return refused
elseif state[5] ~= '' then
  return {'OPEN'}
elseif state[6] ~= '' then
  return {'DROPPING', state[6]}
end
local problem = read_last(ARGV[5], ARGV[6], ARGV[7])
if problem then
  return problem
end
local note = note_of(state[2], state[3], state[4])
begin_although_full(KEYS[1])
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'home', ARGV[3], 'incarnation', ARGV[4], 'generation', state[7] + 1,
  'written', '', 'dropped', note, 'insertions', 0, 'length', 0)
if ARGV[5] ~= '0' then
  redis.call('SET', KEYS[2], '\0', 'KEEPTTL')
  if is_counter(KEYS[3]) then
    redis.call('SET', KEYS[3], 0, 'KEEPTTL')
  end
end
drop_noted(KEYS[1], note, ARGV[9], ARGV[8])
return changed(KEYS[1], 2, '')
