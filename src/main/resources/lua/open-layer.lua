-- Opens a layer of a filter, of which all segments are in use: from here on what the layers before refuse
-- goes there. An element is looked for in it by whoever finds those before full.
--
-- KEYS[1] state, KEYS[2] bits of the first segment; of a live or a next generation
-- ARGV[1] generation, ARGV[2] revision at which its segments were activated
-- ARGV[3] how many layers there are without it, ARGV[4] the layer as it was planned
-- ARGV[5] the layer as it is to be stored, ARGV[6] how many segments there are with it
-- ARGV[7] '1' if replicas are waited for, see add: then something is always written
-- Returns {'OK'}       done, or done before
--         {'STALE', generation}  there is another generation, revision or plan by now; nothing was changed
--         {'MOVING', move}  see guard
--         {'GONE'}, {'FORMAT', format}, {'DAMAGED', key}, {'WRONG_TYPE', key}: see guard
-- Complexity: O(1). Writes.
-- include: guard
local refused = guard(KEYS[1], KEYS[2], ARGV[1])
if refused then
  return refused
end
local stored = redis.call('HMGET', KEYS[1], 'revision', 'layers', 'layer:' .. ARGV[3])
if (tonumber(stored[2]) or 0) > tonumber(ARGV[3]) then
  if ARGV[7] == '1' then
    redis.call('HSET', KEYS[1], 'layers', stored[2])
  end
  return {'OK'}
end
if stored[1] ~= ARGV[2] or stored[2] ~= ARGV[3] or stored[3] ~= ARGV[4] then
  return {'STALE', ARGV[1]}
end
redis.call('HSET', KEYS[1], 'layers', string.format('%.0f', tonumber(ARGV[3]) + 1),
  'layer:' .. ARGV[3], ARGV[5], 'segments', ARGV[6])
return {'OK'}
