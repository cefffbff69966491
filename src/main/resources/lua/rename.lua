-- Renames a filter. Its segments keep their keys, which are made of the state's home and incarnation, so this takes the
-- same time at any size.
--
-- KEYS[1] state, KEYS[3] state of the next generation, KEYS[5] source; KEYS[2], KEYS[4], KEYS[6] the same of the new
--         name; then segments of the filter, whose headers are returned; then segments of the replaced filter
-- ARGV[1] version, ARGV[2] version of the filter to replace; '' if the new name must be free
-- ARGV[3] '1' if the filter has a source, else ''
-- ARGV[4] bytes of a bitmap and of a header for each segment of the filter in KEYS
-- ARGV[5] the number of segments of the replaced filter, and ARGV[6] the note of its content if these are all of it,
--         else ''
-- ARGV[7] '1' if the caller knows the next generation of the replaced filter, and ARGV[8] its segments written, which
--         the caller drops
-- Returns {'OK', milliseconds, state, {}, length, header, ...}  see find
--         {'EXISTS'}             the new name is not free, or does not have the version to replace
--         {'DROPPING', note}, {'TARGET_DROPPING', note}  drop earlier content of this filter first
--         {'CHANGED'}            see state; or it has gained or lost its source, or KEYS[2] holds another type, or other
--                                segments of the replaced filter's next generation were written, or it expired
-- Complexity: O(1). Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: found
-- include: dropped
local state, refused = read_state('version', ARGV[1], 'dropped', 'source')
if refused then
  return refused
elseif state[2] ~= '' then
  return {'DROPPING', state[2]}
end
local target = typed('HMGET', KEYS[2], 'version', 'dropped', 'home', 'incarnation', 'written')
if not target then
  return {'CHANGED'}
elseif (target[1] or '') ~= ARGV[2] then
  return {'EXISTS'}
elseif target[2] and target[2] ~= '' then
  return {'TARGET_DROPPING', target[2]}
end
if state[3] ~= ARGV[3] or (ARGV[7] == '1' and has_written_more(KEYS[4], ARGV[8])) then
  return {'CHANGED'}
end
local note = note_of(target[3], target[4], target[5])
redis.call('RENAME', KEYS[1], KEYS[2])
if note ~= '' then
  redis.call('HSET', KEYS[2], 'dropped', note)
end
for i = 3, 5, 2 do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('RENAME', KEYS[i], KEYS[i + 1])
  elseif ARGV[2] ~= '' then
    redis.call('UNLINK', KEYS[i + 1])
  end
end
drop_noted(KEYS[2], note, ARGV[6], ARGV[5])
return changed(KEYS[2], 7, ARGV[4])
