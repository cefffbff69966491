-- Brings a segment's snapshot further by replaying its journal, for whoever needs all of it in the
-- bitmap and has no copy to write.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- ARGV[1] generation, ARGV[2] k, ARGV[3] about how many bits to set
-- ARGV[4] '1' to drop the journal when all of it is in the snapshot, '0' to keep it for followers
-- Returns {'OK', left, tip, {field, value, ...}}  how many bytes of the journal the snapshot still
--         lacks; the position of the journal's end; the state, see clock
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}: see guard
-- Complexity: O(bits set, and where the journal is dropped bytes of the segment). Writes.
-- include: guard
-- include: clock
-- include: window
-- include: counters
-- include: journal
local refused, segment = guard(KEYS[1], KEYS[2], ARGV[1], nil, ARGV[2])
refused = refused or open_content(KEYS[1], segment)
if refused then
  return refused
end
local state, bits = KEYS[1], KEYS[2]
if segment.folded < segment.tip then
  -- Where memory is exhausted Redis refuses a script's first write, and only that, unless it frees. What
  -- follows takes hardly any, and a full Redis keeps nobody from reading.
  redis.call('HDEL', state, '')
  local damage = replay(bits, segment, tonumber(ARGV[2]), tonumber(ARGV[3]))
  if damage then
    return damage
  end
  write_counts(state, segment)
end
if ARGV[4] == '1' and segment.folded == segment.tip and segment.base < segment.tip then
  local snapshot = redis.call('GETRANGE', bits, '0', number(snapshot_bytes(segment) - 1))
  write_snapshot(state, bits, segment, snapshot, segment.tip, segment.mark)
end
return {'OK', segment.tip - segment.folded, segment.tip, fields_of(state, segment.window)}
