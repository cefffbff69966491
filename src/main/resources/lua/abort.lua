-- Ends a rebuild and discards its content. Also clears the field next of the live state after a rebuild has expired.
--
-- KEYS[1] state; then the state of the next generation, only if it is known to exist; then the source, only if ARGV[4]
--         names a run
-- ARGV[1] version, '' if the filter must not exist yet; ARGV[2] the new version
-- ARGV[3] incarnation of the next generation
-- ARGV[4] the run of the source that aborts, '' for none; ARGV[5] '1' if KEYS[2] is the state of the next generation
-- Returns {'OK', note}           content that the caller must drop; '' for none
--         {'GONE'}, {'CHANGED'}  there is no filter, or it has another version; nothing was changed
--         {'EXISTS'}, {'UNFINISHED'}  there is a filter, or a deletion of one that was cut off, although ARGV[1] is ''
--         {'NO_REBUILD'}         this rebuild is not open
--         {'RUN_LOST'}           another run has the claim of the source; nothing was changed
--         {'WRONG_TYPE'}, {'NEXT_WRONG_TYPE'}  a key holds another type
-- Complexity: O(1). Writes.
-- include: typed
-- include: state
-- include: dropped
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
local note, is_named = '', false
if ARGV[5] == '1' then
  local loaded = typed('HMGET', KEYS[2], 'incarnation', 'home', 'written')
  if not loaded then
    return {'NEXT_WRONG_TYPE'}
  elseif ARGV[1] == '' and loaded[1] ~= ARGV[3] then
    return {'NO_REBUILD'}
  end
  is_named = loaded[1] == ARGV[3]
  note = is_named and note_of(loaded[2], loaded[1], loaded[3]) or ''
end
begin_although_full()
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[1], 'next', '', 'version', ARGV[2])
end
if is_named then
  redis.call('UNLINK', KEYS[2])
end
return {'OK', note}
