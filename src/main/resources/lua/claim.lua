-- Claims the next run of a source, or renews or ends the claim of a run. A claim is a lease: if a run does not renew it
-- in time, the next caller takes over. No lease ends later than one that begins now: Redis's clock was ahead.
--
-- KEYS[1] state, KEYS[2] source
-- ARGV[1] the run, ARGV[2] lease in milliseconds
-- ARGV[3] 'NOW' to run at any time, 'DUE' only if it is due or its run died, 'RENEW' only if the run has the claim
-- ARGV[4...] names and values of fields to set, among them those of the claim to end it
-- Returns {'CLAIMED', milliseconds, {name, value, ...}}  Redis's clock, and the fields as they were before
--         {'RUNNING', milliseconds}  another run has the claim until then, unless it renews it
--         {'NOT_DUE', milliseconds}  it is due then; '' for never
--         {'LOST'}                   the run does not have the claim any more
--         {'GONE'}, {'NONE'}         there is no filter, or it has no source
--         {'WRONG_TYPE'}             a key holds another type
--         {'DAMAGED'}  the expiry of the filter is malformed; nothing was changed
-- Complexity: O(1). Writes.
-- include: typed
-- include: expiry
-- include: source
-- include: full
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
  begin_although_full(KEYS[2])
elseif holder ~= '' and holder ~= run and now < (tonumber(stored[2] or '') or 0) then
  local latest = now + ARGV[2]
  if tonumber(stored[2]) > latest then
    stored[2] = string.format('%.0f', latest)
    redis.call('HSET', KEYS[2], 'leasedUntil', stored[2])
  end
  return {'RUNNING', string.format('%.0f', tonumber(stored[2]))}
elseif way == 'DUE' and holder == '' and not (due and due <= now) then
  return {'NOT_DUE', due and string.format('%.0f', due) or ''}
end
local fields = redis.call('HGETALL', KEYS[2])
local claim = {'leasedUntil', string.format('%.0f', now + ARGV[2]), unpack(ARGV, 4)}
if holder ~= run then
  claim = {'run', run, 'runStartedAt', string.format('%.0f', now), 'attempt',
    holder == '' and 1 or (tonumber(stored[4] or '') or 0) + 1, unpack(claim)}
end
-- One command, so that no crash leaves half of it. The last value of a field counts.
redis.call('HSET', KEYS[2], unpack(claim))
return {'CLAIMED', now, fields}
