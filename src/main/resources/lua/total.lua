-- Adds up the bytes of all names that begin with a prefix, some hundred names in a call. What is
-- changed meanwhile counts once: up to the last name that was added by who changes it, behind it by
-- who adds up.
--
-- KEYS[1] names, KEYS[2] entries, KEYS[3] totals: see usage
-- ARGV[1] prefix, ARGV[2] the most names
-- Returns {'OK'}    all are added up
--         {'MORE'}  call again
-- Complexity: O(names). Writes.
-- include: usage
local prefix = ARGV[1]
local sum, last = '=' .. prefix, '>' .. prefix
if redis.call('HEXISTS', totals, sum) == 0 then
  redis.call('HSET', totals, sum, '0', last, '')
end
local at = redis.call('HGET', totals, last)
if not at then
  return {'OK'}
end
local page = redis.call('ZRANGEBYLEX', names, at == '' and '[' .. prefix or '(' .. at,
  '(' .. prefix .. '\255', 'LIMIT', '0', ARGV[2])
if #page == 0 then
  redis.call('HDEL', totals, last)
  return {'OK'}
end
local more = 0
for _, stored in ipairs(redis.call('HMGET', entries, unpack(page))) do
  local _, bytes = parse(stored)
  more = more + (bytes or 0)
end
redis.call('HINCRBY', totals, sum, string.format('%.0f', more))
redis.call('HSET', totals, last, page[#page])
return {'MORE'}
