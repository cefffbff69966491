-- Begins or ends the counting of all filters, where none were counted yet or some of what was known
-- is lost. Several may count at once; whoever has looked at all of them ends it.
--
-- KEYS[1] names, KEYS[2] entries, KEYS[3] totals: see usage
-- ARGV[1] id of who counts, drawn at random; ARGV[2] '1' if all are counted, '0' to begin
-- Returns {'OK', id}  count, and end it with this id
--         {'READY'}   all are counted
-- Complexity: O(1), freeing in the background. Writes.
-- include: usage
if not is_whole() then
  redis.call('UNLINK', names, entries, totals)
end
if redis.call('HEXISTS', totals, '/ready') == 1 then
  return {'READY'}
end
local id = redis.call('HGET', totals, '/count')
if ARGV[2] == '1' and id == ARGV[1] then
  redis.call('HSET', totals, '/ready', '1')
  redis.call('HDEL', totals, '/count')
  return {'READY'}
end
if not id then
  id = ARGV[1]
  redis.call('HSET', totals, '/count', id)
end
return {'OK', id}
