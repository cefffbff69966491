-- Writes a field that means nothing, behind which WAIT covers everything that the caller has seen of some segments: an
-- element that was already there appends nothing, and its block may have come from another connection.
--
-- KEYS[1] state, KEYS[2...] segments
-- ARGV[1] version, ARGV[2] bytes of a bitmap, ARGV[3] of a header; then for each segment position and mark
-- Returns {'OK'}
--         {'CHANGED'}        see state
--         {'REREAD', index}  this segment, counted from 1, no longer has the mark: try the adds again
--         {'DAMAGED'}        a segment holds another type
--         Any reply but OK: nothing was changed.
-- Complexity: O(segments). Writes.
-- include: typed
-- include: state
-- include: segment
local _, refused = read_state('version', ARGV[1])
if refused then
  return refused
end
local B, H = tonumber(ARGV[2]), tonumber(ARGV[3])
for i = 2, #KEYS do
  local position, mark = tonumber(ARGV[2 * i]), ARGV[2 * i + 1]
  local tail = typed('GETRANGE', KEYS[i], -8, -1)
  if not tail then
    return {'DAMAGED'}
  elseif tail ~= mark then
    local segment = read_header(KEYS[i], B, H, redis.call('STRLEN', KEYS[i]))
    if not segment or not stands(KEYS[i], segment, position, mark) then
      return {'REREAD', i - 1}
    end
  end
end
redis.call('HSET', KEYS[1], 'barrier', '')
return {'OK'}
