-- Reads a piece of a bitmap of a filter that moves to another slot.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, of the live or of the next generation
-- ARGV[1] the move, see move-fence; ARGV[2] index of the first byte, ARGV[3] of the last
-- Returns {'OK', bytes}
--         {'LOST'}  the filter does not take part in this move any more
-- Complexity: O(bytes read). Read-only.
if redis.call('HGET', KEYS[1], 'moving') ~= ARGV[1] then
  return {'LOST'}
end
return {'OK', redis.call('GETRANGE', KEYS[2], ARGV[2], ARGV[3])}
