-- Renames a filter. Its segments keep their keys, which are made of the state's home and incarnation, so this takes the
-- same time at any size.
--
-- KEYS[1] state, KEYS[2] state of the new name; then the keys that ARGV[3] and ARGV[4] call for; then segments of the
--         filter, whose headers are returned; then segments of the replaced filter
-- ARGV[1] version, ARGV[2] version of the filter to replace; '' if the new name must be free
-- ARGV[3] for the state of the next generation, ARGV[4] for the source: 'MOVE' with its key and its new key, 'REMOVE'
--         with only the key of the replaced filter, '' with no key
-- ARGV[5] bytes of a bitmap and of a header for each segment of the filter in KEYS
-- ARGV[6] the number of segments of the replaced filter, and ARGV[7] the note of its content if these are all of it,
--         else ''
-- ARGV[8] '1' if the caller knows the next generation of the replaced filter, and ARGV[9] its segments written, which
--         the caller drops
-- Returns {'OK', milliseconds, state, {}, length, header, ...}  see found
--         {'EXISTS'}             the new name is not free, or does not have the version to replace
--         {'DROPPING', note}, {'TARGET_DROPPING', note}  drop earlier content of this filter first
--         {'CHANGED'}            see state; or a source has come or gone, or KEYS[2] holds another type, or other
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
local target = typed('HMGET', KEYS[2], 'version', 'dropped', 'home', 'incarnation', 'written', 'source')
if not target then
  return {'CHANGED'}
elseif (target[1] or '') ~= ARGV[2] then
  return {'EXISTS'}
elseif target[2] and target[2] ~= '' then
  return {'TARGET_DROPPING', target[2]}
end
local way = state[3] == '1' and 'MOVE' or (target[6] == '1' and 'REMOVE' or '')
local has_more = ARGV[8] == '1' and has_written_more(KEYS[ARGV[3] == 'MOVE' and 4 or 3], ARGV[9])
if way ~= ARGV[4] or has_more then
  return {'CHANGED'}
end
local note, at, moves = note_of(target[3], target[4], target[5]), 3, {}
for _, what in ipairs({ARGV[3], ARGV[4]}) do
  if what == 'REMOVE' then
    redis.call('UNLINK', KEYS[at])
    at = at + 1
  elseif what == 'MOVE' then
    moves[#moves + 1] = at
    at = at + 2
  end
end
redis.call('RENAME', KEYS[1], KEYS[2])
if note ~= '' then
  redis.call('HSET', KEYS[2], 'dropped', note)
end
for _, from in ipairs(moves) do
  -- A rebuild may have expired since the caller read the filter.
  if redis.call('EXISTS', KEYS[from]) == 1 then
    redis.call('RENAME', KEYS[from], KEYS[from + 1])
  end
end
drop_noted(KEYS[2], note, ARGV[7], ARGV[6])
return changed(KEYS[2], at, ARGV[5])
