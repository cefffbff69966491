-- Deletes a filter, whole or damaged, and with it what a rebuild has loaded. The segments beyond
-- the first stay named in the list of segment sets until they are freed.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment, KEYS[6] source
-- KEYS[7] config of an adopted bitmap, if it has one
-- ARGV[1] generation that is to be deleted if it is whole, or '' for any, whole or damaged
-- ARGV[2] '1' to delete an adopted bitmap and its config too, '0' to let go of them
-- Returns {'OK'}
--         {'MOVING', move}  see guard
--         {'GONE'}  there is no such filter
--         {'WRONG_TYPE', key}  see guard and next; nothing was deleted
--         {'MISMATCH', key}  see guard: an adopted bitmap is not what it was; nothing was deleted
--         {'ELSEWHERE', key, config}  see guard
--         {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key}: see guard; only if a
--         generation was named
-- Complexity: O(bits of one segment). Writes.
-- include: guard
-- include: next
local generation = ARGV[1] ~= '' and ARGV[1] or nil
local refused = guard(KEYS[1], KEYS[2], generation, KEYS[7])
local own = is_own(KEYS[2])
local lets_go = not own and ARGV[2] ~= '1'
if refused and (generation or refused[1] ~= 'DAMAGED') then
  -- What became of a bitmap that stays does not matter.
  local is_others = refused[2] ~= 'state' and (refused[1] == 'WRONG_TYPE' or refused[1] == 'MISMATCH')
  if not (lets_go and is_others) then
    return refused
  end
end
refused = guard_list(KEYS[3]) or foreign_next(KEYS[4], KEYS[5])
if refused then
  return refused
end
local live, following = set_of(KEYS[1]), set_of(KEYS[4])
redis.call('UNLINK', KEYS[1], KEYS[4], KEYS[5], KEYS[6])
if not lets_go then
  redis.call('UNLINK', KEYS[2], KEYS[7] or KEYS[2])
end
keep_set(KEYS[3], live)
keep_set(KEYS[3], following)
-- The list may have had the filter's deadline, but those it names are still to be freed.
redis.call('PERSIST', KEYS[3])
return {'OK'}
