-- Claims the next run of a source, or renews the claim of a run. A claim is a lease: if a run does not renew it in
-- time, the next caller takes over.
--
-- KEYS[1] state, KEYS[2] source
-- ARGV[1] the run, ARGV[2] lease in milliseconds
-- ARGV[3] 'NOW' to run at any time, 'DUE' only if it is due or its run died, 'RENEW' only if the run has the claim
-- ARGV[4] incarnation of the generation that the run loads, '' for none yet
-- Returns {'CLAIMED', milliseconds, name, value, ...}  Redis's clock, and the fields as they were before
--         {'RUNNING', milliseconds}  another run has the claim until then, unless it renews it
--         {'NOT_DUE', milliseconds}  it is due then; '' for never
--         {'LOST'}                   the run does not have the claim any more
--         {'GONE'}, {'NONE'}         there is no filter, or it has no source
--         {'WRONG_TYPE'}             a key holds another type
-- Complexity: O(1). Writes.
-- include: typed
-- include: expiry
-- include: source
local refused = check_filter(true)
if refused then
  return refused
end
local now, run, way = milliseconds(), ARGV[1], ARGV[3]
local stored = redis.call('HMGET', KEYS[2], 'run', 'leasedUntil', 'nextRunAt', 'attempt')
local holder, due = stored[1] or '', tonumber(stored[3] or '')
if way == 'RENEW' then
  if holder ~= run then
    return {'LOST'}
  end
elseif holder ~= '' and holder ~= run and now < tonumber(stored[2] or 0) then
  return {'RUNNING', stored[2]}
elseif way == 'DUE' and holder == '' and not (due and due <= now) then
  return {'NOT_DUE', stored[3] or ''}
end
local fields = redis.call('HGETALL', KEYS[2])
local leased = string.format('%.0f', now + tonumber(ARGV[2]))
if holder == run then
  redis.call('HSET', KEYS[2], 'leasedUntil', leased)
else
  redis.call('HSET', KEYS[2], 'run', run, 'runStartedAt', string.format('%.0f', now), 'leasedUntil', leased,
    'attempt', holder == '' and 1 or tonumber(stored[4] or 0) + 1)
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[2], 'rebuild', ARGV[4])
end
return {'CLAIMED', now, unpack(fields)}
