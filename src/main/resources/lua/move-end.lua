-- Ends a move to another slot where the filter was: removes it if it has arrived there, else lets
-- it be used again.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment, KEYS[6] source
-- ARGV[1] the move, see move-fence; ARGV[2] '1' if it has arrived, '0' if it was undone
-- Returns {'OK'}
--         {'OTHER'}  what is here takes no part in this move, any more or yet; nothing was changed
-- Complexity: O(1), freeing in the background. Writes.
local function takes_part(state)
  return redis.pcall('HGET', state, 'moving') == ARGV[1]
end
if not (takes_part(KEYS[1]) or takes_part(KEYS[4])) then
  return {'OTHER'}
end
if ARGV[2] == '1' then
  redis.call('UNLINK', unpack(KEYS))
  return {'OK'}
end
for _, state in ipairs({KEYS[1], KEYS[4]}) do
  if takes_part(state) then
    redis.call('HDEL', state, 'moving')
  end
end
return {'OK'}
