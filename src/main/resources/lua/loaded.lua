-- Counts elements loaded into the next generation, and keeps the rebuild from expiring.
--
-- KEYS[1] state of the next generation; then the segments listed in ARGV[3], in order
-- ARGV[1] version, ARGV[2] number of elements
-- ARGV[3] the segments written, as the caller read them from the state; '' at first
-- Returns {'OK'}
--         {'RENEW', segments}    it can live longer by half of its timeout: call again with these segments; nothing was
--                                done
--         {'CHANGED'}            see state
-- Complexity: O(segments). Writes.
-- include: typed
-- include: expiry
-- include: state
-- include: full
local state, refused = read_state('version', ARGV[1], 'written', 'expiresAt', 'idleTimeout', 'filterExpiresAt',
  'received')
if refused then
  return refused
elseif state[3] == '' or state[4] == '' or state[6] == '' then
  return {'DAMAGED'}
end
local expiry = rebuild_expiry(state[4], state[5])
local is_due = expiry - tonumber(state[3]) > tonumber(state[4]) / 2
if is_due and state[2] ~= ARGV[3] then
  return {'RENEW', state[2]}
end
begin_although_full(KEYS[1])
if is_due then
  set_all(KEYS[1], 2, #KEYS, state[3], string.format('%.0f', expiry))
end
redis.call('HINCRBY', KEYS[1], 'received', ARGV[2])
return {'OK'}
