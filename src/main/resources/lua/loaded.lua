-- Counts elements loaded into the next generation, and keeps the rebuild from expiring.
--
-- KEYS[1] state of the next generation; then the segments listed in ARGV[3], in order
-- ARGV[1] version, ARGV[2] number of elements
-- ARGV[3] the segments written, as the caller read them from the state; '' at first
-- Returns {'OK', milliseconds}   Unix time at which it expires without another load
--         {'RENEW', segments}    less than half of its time is left: call again with these segments; nothing was done
--         {'GONE'}, {'CHANGED'}  there is no rebuild, or it has another version; nothing was changed
--         {'WRONG_TYPE'}         the key holds another type
-- Complexity: O(segments). Writes.
-- include: typed
-- include: state
local state, refused = read_state(ARGV[1], 'written', 'expiresAt', 'patience')
if refused then
  return refused
end
local now, ends, patience = milliseconds(), tonumber(state[3]), tonumber(state[4])
local is_due = ends - now < patience / 2
if is_due and state[2] ~= ARGV[3] then
  return {'RENEW', state[2]}
end
begin_although_full()
if is_due then
  ends = now + patience
  -- No segment may expire before the state.
  local text = string.format('%.0f', ends)
  for i = 2, #KEYS do
    redis.call('PEXPIREAT', KEYS[i], text)
  end
  redis.call('HSET', KEYS[1], 'expiresAt', ends)
  redis.call('PEXPIREAT', KEYS[1], ends)
end
redis.call('HINCRBY', KEYS[1], 'received', ARGV[2])
return {'OK', ends}
