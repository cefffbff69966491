-- Ends a rebuild and discards its content. Also clears the field next of the live state after a rebuild has expired, and
-- ends a run of the source that has failed.
--
-- KEYS[1] state; then the state of the next generation, only if it is known to exist; then the source, only if ARGV[4]
--         names a run
-- ARGV[1] version, '' if the filter must not exist yet; ARGV[2] the new version
-- ARGV[3] incarnation of the next generation
-- ARGV[4] the run of the source that aborts, '' for none; ARGV[5] '1' if KEYS[2] is the state of the next generation
-- ARGV[6...] names and values of fields of the source to end the run, if it has the claim
-- Returns {'OK', note}           content that the caller must drop; '' for none
--         {'NO_REBUILD'}         this rebuild is not open
--         {'RUN_LOST'}           another run has the claim of the source; nothing was changed
--         {'CHANGED'}, {'EXISTS'}, {'WRONG_TYPE'}  see state
-- Complexity: O(1). Writes.
-- include: typed
-- include: state
-- include: dropped
-- include: full
local state, refused = read_state_or_none(ARGV[1], 'next')
if refused then
  return refused
elseif ARGV[1] ~= '' and state[2] ~= ARGV[3] then
  return {'NO_REBUILD'}
end
local holder = ARGV[4] ~= '' and redis.call('HGET', KEYS[#KEYS], 'run') or ''
if holder ~= '' and holder ~= ARGV[4] then
  return {'RUN_LOST'}
end
local loaded = ARGV[5] == '1' and typed('HMGET', KEYS[2], 'incarnation', 'home', 'written') or {}
local is_there = loaded[1] == ARGV[3]
if ARGV[1] == '' and not is_there then
  return {'NO_REBUILD'}
end
begin_although_full(KEYS[1])
if ARGV[6] and holder ~= '' then
  redis.call('HSET', KEYS[#KEYS], unpack(ARGV, 6))
end
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[1], 'next', '', 'version', ARGV[2])
end
if not is_there then
  return {'OK', ''}
end
redis.call('UNLINK', KEYS[2])
return {'OK', note_of(loaded[2], loaded[1], loaded[3])}
