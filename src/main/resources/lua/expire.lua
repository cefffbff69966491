-- Sets or removes the expiry of a filter, all its segments and the library's keys that it has adopted.
--
-- KEYS[1] state; then the source, only if ARGV[4] is '1'; then the segments listed in ARGV[2], in order; then the
--         library's keys: bitmap, companion
-- ARGV[1] version, ARGV[2] the segments written, as the caller read them from the state
-- ARGV[3] expiry in Unix milliseconds, '' for none; ARGV[4] '1' if the filter has a source, else ''
-- ARGV[5] the number of library's keys; ARGV[6] bits of the bitmap and ARGV[7] bits of an element
-- ARGV[8] bytes of a bitmap and of a header for each segment, '' to return no headers
-- Returns {'OK', milliseconds, state, {}, length, header, ...}  see found
--         {'GONE'}, {'CHANGED'}  there is no filter, or it has another version or source; nothing was changed
--         {'WRITTEN', segments}  other segments were written; nothing was changed
--         {'DROPPING', note}     earlier content would be left behind: drop it first
--         {'WRONG_TYPE'}         the key holds another type
--         {'KEY', key, problem}  see library; nothing was changed
-- Complexity: O(segments). Writes.
-- include: typed
-- include: state
-- include: library
-- include: found
local state, refused = read_state(ARGV[1], 'written', 'dropped', 'expiresAt', 'source')
if refused then
  return refused
elseif state[3] ~= '' then
  return {'DROPPING', state[3]}
elseif state[2] ~= ARGV[2] then
  return {'WRITTEN', state[2]}
elseif state[5] ~= ARGV[4] then
  return {'CHANGED'}
end
local problem = read_last(ARGV[5], ARGV[6], ARGV[7])
if problem then
  return problem
end
local deadline, former = ARGV[3], state[4]
begin_although_full()
local is_later = deadline == '' or (former ~= '' and tonumber(deadline) > tonumber(former))
local function set_state()
  redis.call('HSET', KEYS[1], 'expiresAt', deadline)
  set_deadline(KEYS[1], deadline)
end
-- No other key may expire before the state, even if a crash cuts this off.
if not is_later then
  set_state()
end
for i = 2, #KEYS do
  set_deadline(KEYS[i], deadline)
end
if is_later then
  set_state()
end
return changed(KEYS[1], ARGV[4] == '1' and 3 or 2, ARGV[8])
