-- Creates a filter over the bitmap under a library's key, or over a new one that the library can open. From then on the
-- key exists, so that a missing one is damage.
--
-- KEYS[1] state, KEYS[2] bitmap; then the companion, if the library has one; then the additional key of the
--         library's sliding filters, if it has any
-- ARGV[1] bits of the bitmap, ARGV[2] bits of an element, as text that a hash of the library has
-- ARGV[3] expiry in Unix milliseconds, '' to use the expiry of the library's keys
-- ARGV[4] expected insertions and ARGV[5] false-positive probability, for a new hash of the library
-- ARGV[6] '1' to create a bitmap if the library has none; then names and values of the fields
-- Returns {'OK'}
--         {'ABSENT'}      the library has no bitmap; nothing was changed
--         {'KEY', key, problem}  see library; also noConfig: missing, although the bitmap exists; noBits: counts
--                         elements of a missing bitmap; sliding: belongs to a sliding filter; nothing was changed
--         {'EXISTS'}, {'WRONG_TYPE'}  see state
-- Complexity: O(bytes of the fields). Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: library
local bitmap, companion = KEYS[2], KEYS[3]
local _, refused = read_state_or_none('')
if refused then
  return refused
elseif KEYS[4] and redis.call('EXISTS', KEYS[4]) == 1 then
  return {'KEY', bitmap, 'sliding'}
end
local problem, length, count = read_library(bitmap, companion, ARGV[1], ARGV[2])
local is_configured = companion and redis.call('EXISTS', companion) == 1
if problem and problem[3] == 'missing' then
  length = redis.call('STRLEN', bitmap)
  if is_configured and not is_counter(companion) and problem[2] == companion then
    return {'KEY', companion, 'config'}
  elseif companion and not is_configured and length > 0 then
    return {'KEY', companion, 'noConfig'}
  elseif is_configured and is_counter(companion) then
    problem, count = count_of(companion)
    if not problem and count > 0 then
      return {'KEY', companion, 'noBits'}
    end
  end
elseif problem then
  return problem
end
if length == 0 and not is_configured and ARGV[6] ~= '1' then
  return {'ABSENT'}
elseif length == 0 then
  redis.call('SETBIT', bitmap, 0, 0)
end
if is_counter(companion) and not is_configured then
  redis.call('SET', companion, 0)
elseif companion and not is_configured then
  redis.call('HSET', companion, 'size', ARGV[1], 'hashIterations', ARGV[2], 'expectedInsertions', ARGV[4],
    'falseProbability', ARGV[5])
end
local expiry = ARGV[3] ~= '' and ARGV[3] or earliest('', bitmap, companion)
redis.call('HSET', KEYS[1], 'expiresAt', expiry, unpack(ARGV, 7))
for i = 1, companion and 3 or 2 do
  set_expiry(KEYS[i], expiry)
end
return {'OK'}
