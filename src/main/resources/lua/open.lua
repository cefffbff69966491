-- Opens a rebuild: writes the state of the next generation, then its incarnation into the live state. For a run of the
-- source, also records the incarnation with the claim, so that a run that takes over knows what may have been loaded.
--
-- KEYS[1] state, KEYS[2] state of the next generation, KEYS[3] source, only if ARGV[5] names a run
-- ARGV[1] version, ARGV[2] the new version; both '' if the filter must not exist yet
-- ARGV[3] milliseconds after which the rebuild expires without a load, unless the filter expires first
-- ARGV[4] incarnation of the next generation, ARGV[5] the run of the source that opens the rebuild, '' for none
-- ARGV[6...] names and values of the other fields of the next generation, the same names in every call
-- Returns {'OK', milliseconds, state, next}  as find returns them; if there is no filter, state is next
--         {'OPEN'}             a rebuild is open
--         {'NEXT_WRONG_TYPE'}  KEYS[2] holds another type
--         {'RUN_LOST'}         the run does not have the claim of the source
--         {'CHANGED'}, {'EXISTS'}, {'WRONG_TYPE'}  see state
-- Complexity: O(bytes of the fields). Writes.
-- include: typed
-- include: expiry
-- include: state
local state, refused = read_state_or_none(ARGV[1], 'next', 'expiresAt')
if refused then
  return refused
end
local opened = typed('HMGET', KEYS[2], 'incarnation', 'expiresAt', 'live')
if not opened then
  return {'NEXT_WRONG_TYPE'}
end
-- The rest of an expired rebuild, or of a rebuild of a deleted filter, is overwritten.
local now, live = milliseconds(), ARGV[1] ~= '' and '1' or '0'
local is_open = opened[1] and (tonumber(opened[2] or '') or 0) > now and opened[3] == live
if is_open and (live == '0' or opened[1] == state[2]) then
  return {'OPEN'}
end
if KEYS[3] then
  if redis.call('HGET', KEYS[3], 'run') ~= ARGV[5] then
    return {'RUN_LOST'}
  end
  redis.call('HSET', KEYS[3], 'rebuild', ARGV[4])
end
local expiry = rebuild_expiry(ARGV[3], state[3])
redis.call('HSET', KEYS[2], 'incarnation', ARGV[4], 'written', '', 'insertions', 0, 'length', 0, 'received', 0,
  'idleTimeout', ARGV[3], 'filterExpiresAt', state[3], 'expiresAt', expiry, 'live', live, 'run', ARGV[5], unpack(ARGV, 6))
-- Before it has its expiry, which may pass within the script.
local next = redis.call('HGETALL', KEYS[2])
redis.call('PEXPIREAT', KEYS[2], expiry)
if live == '1' then
  redis.call('HSET', KEYS[1], 'next', ARGV[4], 'version', ARGV[2])
end
return {'OK', now, live == '1' and redis.call('HGETALL', KEYS[1]) or next, next}
