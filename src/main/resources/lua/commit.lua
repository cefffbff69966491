-- Replaces the live generation by the loaded one, and drops the old content or notes it. Ends the run of a source too: a
-- run that had committed but kept its claim would be repeated.
--
-- KEYS[1] state, KEYS[2] state of the next generation, KEYS[3] source, only if ARGV[7] is '1'; then the segments listed
--         in ARGV[4], in order; then the library's keys: bitmap, which is replaced by the one segment, and companion;
--         or segments of the old content
-- ARGV[1] version, '' if the filter must not exist yet; ARGV[2] the new version; ARGV[3] version of the next
--         generation, ARGV[4] its segments written, as the caller read them from its state
-- ARGV[5] the run of the source that commits; '' for none
-- ARGV[6] expiry in Unix milliseconds, '' for none, '+' and milliseconds from now, or 'KEEP' to keep it
-- ARGV[7] '1' if the filter has a source, else ''; ARGV[8] the number of library's keys, ARGV[9] bits of the bitmap,
--         ARGV[10] bits of an element, ARGV[11] expected insertions, ARGV[12] false-positive probability
-- ARGV[13] the number of segments of the old content, and ARGV[14] its note if these are all of it, else ''
-- ARGV[15] bytes of a bitmap and of a header for each segment that is brought, '' to return no headers
-- ARGV[16...] names and values of fields: of the source if ARGV[5] names a run, else of the state
-- Returns {'OK', milliseconds, state, {}, length, header, ...}  see found
--         {'NO_REBUILD'}         no rebuild is open
--         {'NEXT_DAMAGED'}       a segment of it is missing, or raw bits are shorter than noted; nothing was changed
--         {'WRITTEN', segments}  other segments of it were written; nothing was changed
--         {'DROPPING', note}     earlier content is not dropped yet: drop it first
--         {'RUN_LOST'}           another run has claimed the source
--         {'KEY', key, problem}  see library; a missing key does not matter
--         {'CHANGED'}, {'EXISTS'}, {'WRONG_TYPE'}  see state; or it has another source, or the next generation another
--                                version
-- Complexity: O(segments). Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: found
-- include: library
-- include: dropped
-- include: full
local state, refused = read_state_or_none(ARGV[1], 'home', 'incarnation', 'written', 'dropped', 'expiresAt', 'next',
  'source')
if refused then
  return refused
end
local loaded = typed('HMGET', KEYS[2], 'version', 'incarnation', 'written', 'home', 'definition', 'generation',
  'insertions', 'length')
if not (loaded and loaded[1]) or (ARGV[1] ~= '' and loaded[2] ~= state[7]) then
  return {'NO_REBUILD'}
elseif (loaded[3] or '') ~= ARGV[4] then
  return {'WRITTEN', loaded[3] or ''}
elseif state[5] ~= '' then
  return {'DROPPING', state[5]}
elseif state[8] ~= ARGV[7] or loaded[1] ~= ARGV[3] then
  return {'CHANGED'}
elseif ARGV[5] ~= '' and (ARGV[7] == '' or redis.call('HGET', KEYS[3], 'run') ~= ARGV[5]) then
  return {'RUN_LOST'}
end
local problem = read_last(ARGV[8], ARGV[9], ARGV[10])
if problem and problem[3] ~= 'missing' then
  return problem
end
local note = note_of(state[2], state[3], state[4])
local expiry = ARGV[6] == 'KEEP' and state[6] or asked_expiry(ARGV[6])
local last, written = #KEYS - ARGV[8] - ARGV[13], ARGV[4]
local bitmap, companion = unpack(ARGV[8] ~= '0' and KEYS or {}, last + 1, last + 2)
if bitmap and ARGV[6] == 'KEEP' then
  expiry = earliest(expiry, bitmap, companion)
end
local first = ARGV[7] == '1' and 4 or 3
if first <= last and (redis.call('EXISTS', unpack(KEYS, first, last)) <= last - first
  or (typed('STRLEN', KEYS[first]) or -1) < (tonumber(loaded[8] or '') or 0)) then
  return {'NEXT_DAMAGED'}
end
begin_although_full(KEYS[1])
if ARGV[5] ~= '' then
  -- Before the commit: if a crash cuts this off, the filter keeps its content.
  redis.call('HSET', KEYS[3], unpack(ARGV, 16))
end
local of_keys = not_yet(expiry)
for i = 3, last do
  set_expiry(KEYS[i], of_keys)
end
if bitmap then
  if written == '' then
    redis.call('SET', bitmap, '\0')
  else
    redis.call('RENAME', KEYS[last], bitmap)
  end
  if is_counter(companion) then
    redis.call('SET', companion, loaded[7] or 0)
  elseif companion and problem and problem[2] == companion then
    redis.call('HSET', companion, 'size', ARGV[9], 'hashIterations', ARGV[10], 'expectedInsertions', ARGV[11],
      'falseProbability', ARGV[12])
  end
  for i = last + 1, #KEYS do
    set_expiry(KEYS[i], of_keys)
  end
  written = ''
end
-- This one command is the commit.
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'home', loaded[4], 'incarnation', loaded[2], 'written', written,
  'definition', loaded[5], 'generation', loaded[6], 'next', '', 'dropped', note, 'expiresAt', expiry,
  'insertions', loaded[7] or 0, 'length', loaded[8] or 0, unpack(ARGV[5] == '' and ARGV or {}, 16))
set_expiry(KEYS[1], expiry)
redis.call('UNLINK', KEYS[2])
drop_noted(KEYS[1], note, ARGV[14], ARGV[13])
return changed(KEYS[1], first, ARGV[15])
