-- Reads a page of the members of a set, a sorted set or a list that another program keeps. Few members are read at
-- once, because each may be long.
--
-- KEYS[1] the key
-- ARGV[1] cursor of SSCAN or ZSCAN, or index in a list; '0' at first
-- ARGV[2] the most members and ARGV[3] the most bytes of a page; it may exceed either by one step of 8 members
-- Returns {'OK', type, server, next, members}
--           server: identifies the process of Redis, since a cursor is meaningless in another one
--           next: the cursor or index of the next page, '' after the last
--         {'GONE'}        there is no such key
--         {'WRONG_TYPE'}  it holds another type
-- Complexity: O(members). Does not write.
local STEP = 8

local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then
  return {'GONE'}
elseif kind ~= 'set' and kind ~= 'zset' and kind ~= 'list' then
  return {'WRONG_TYPE'}
end

-- Returns some values and the next position, '' at the end.
local function read_step(at)
  if kind == 'list' then
    local values = redis.call('LRANGE', KEYS[1], at, at + STEP - 1)
    return values, #values < STEP and '' or string.format('%.0f', at + STEP)
  end
  local reply = kind == 'set' and redis.call('SSCAN', KEYS[1], at, 'COUNT', STEP)
    or redis.call('ZSCAN', KEYS[1], at, 'COUNT', STEP)
  return reply[2], reply[1] == '0' and '' or reply[1]
end

-- ZSCAN returns a score behind each member.
local stride, members, bytes, at = kind == 'zset' and 2 or 1, {}, 0, ARGV[1]
repeat
  local values
  values, at = read_step(at)
  for i = 1, #values, stride do
    members[#members + 1] = values[i]
    bytes = bytes + #values[i]
  end
until at == '' or #members >= tonumber(ARGV[2]) or bytes >= tonumber(ARGV[3])
return {'OK', kind, string.match(redis.call('INFO', 'server'), 'run_id:(%w+)'), at, members}
