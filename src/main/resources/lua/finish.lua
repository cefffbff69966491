-- Notes that the later segments of a filter are as its state asks for, and that sets of segments
-- were freed.
--
-- A rebuild of several segments is open from here on: the live generation names it.
--
-- KEYS[1] state, KEYS[2] bits of the first segment, KEYS[3] list of segment sets
-- KEYS[4] state, KEYS[5] bits of the next first segment
-- KEYS[6] source
-- ARGV[1] generation, ARGV[2] revision the segments were reconciled to; both '' if the filter is gone
-- ARGV[3] the next generation whose segments were made; '' if there is no rebuild
-- ARGV[4...] incarnations whose segments were freed
-- Returns {'OK'}
--         {'MOVING', move}  see guard; nothing was noted
--         {'CHANGED'}  there is another filter, or another revision of it, by now: reconcile again
-- Complexity: O(1). Writes.
-- include: deadline
local moving = redis.call('HGET', KEYS[1], 'moving')
if moving then
  return {'MOVING', moving}
end
if #ARGV > 3 then
  redis.call('HDEL', KEYS[3], unpack(ARGV, 4))
end
local stored = redis.call('HMGET', KEYS[1], 'generation', 'revision', 'expiresAt')
if (stored[1] or '') ~= ARGV[1] or (stored[2] or '') ~= ARGV[2] then
  return {'CHANGED'}
end
local following = redis.call('HMGET', KEYS[4], 'generation', 'pending')
if (following[1] or '') ~= ARGV[3] then
  return {'CHANGED'}
end
if not following[1] and redis.call('EXISTS', KEYS[5]) == 1 then
  -- What is left of a rebuild that lost its state.
  redis.call('UNLINK', KEYS[5])
end
if not following[1] and redis.call('HEXISTS', KEYS[1], 'next') == 1 then
  redis.call('HDEL', KEYS[1], 'next')
end
if following[2] then
  redis.call('HDEL', KEYS[4], 'pending')
  if stored[1] then
    redis.call('HSET', KEYS[1], 'next', following[1])
  end
end
if stored[1] then
  redis.call('HDEL', KEYS[1], 'pending')
  local deadline = stored[3] or '0'
  set_deadline(deadline, KEYS[1], KEYS[2], KEYS[4], KEYS[5], KEYS[6])
  -- The list shares the deadline only if it names nothing but the filter's own segments: those of
  -- other incarnations wait to be freed, and nothing else knows of them.
  local incarnation = string.match(stored[1], '^[^.]*')
  if redis.call('HLEN', KEYS[3]) > redis.call('HEXISTS', KEYS[3], incarnation) then
    deadline = '0'
  end
  set_deadline(deadline, KEYS[3])
end
return {'OK'}
