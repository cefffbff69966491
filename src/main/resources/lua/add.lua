-- Adds elements to one segment, in order, and says of each whether it was new: whether it changed a bit,
-- or of one with counters whether one of them was 0.
--
-- KEYS[1] state, KEYS[2] bits of the segment
-- KEYS[3] config, if it has one; a counter counts the elements that changed a bit
-- KEYS[3], KEYS[4] or state and bits of the filter's first segment, see guard_keys
-- ARGV[1] generation the offsets were computed for
-- ARGV[2] k, the number of offsets per element; negative if replicas are waited for: then something is
--         always written, since Redis 7.2 and later have them confirm what the connection wrote last
-- ARGV[3] the mark of this change, see journal
-- ARGV[4] '1' if the filter grows: what a full segment refuses belongs in the next layer, so the call goes on
-- ARGV[5...] bit offsets in decimal, k per element
-- Returns {'OK', flags, next}    flags: one character per element, '1' was new, '0' was not, '2' was
--                                refused as the segment is full, only if the filter grows;
--                                next: the generation that an open rebuild loads, or ''
--         {'FULL', flags, next}  the element after those in flags would exceed the insertions the
--                                segment takes; those in flags were applied, no others were
--         {'JOURNALED'}          others journal what they add: so must the caller, see advance;
--                                nothing was changed
--         {'MOVING', move}  see guard
--         {'GONE'}, {'STALE', generation}, {'FORMAT', format}, {'DAMAGED', key},
--         {'WRONG_TYPE', key}, {'MISMATCH', key}: see guard
-- Complexity: O(number of offsets). Writes.
-- include: guard
-- include: clock
-- include: window
-- include: counters
local k = tonumber(ARGV[2])
local grows = ARGV[4] == '1'
local is_awaited = k < 0
local unusable, segment = guard_keys(ARGV[1], is_awaited and string.sub(ARGV[2], 2) or ARGV[2])
unusable = unusable or open_window(KEYS[1], segment) or open_counters(KEYS[1], segment)
if unusable then
  return unusable
end

if segment.tip > segment.base then
  return {'JOURNALED'}
end

local bits = KEYS[2]
k = math.abs(k)
local room = segment.maxInsertions > 0 and segment.maxInsertions - segment.insertions or math.huge
local flags = {}
local full = false

local ring = segment.ring
local written = 0
local before, had = segment.bitsSet, segment.insertions
if ring then
  for first = 5, #ARGV, k do
    local is_new, is_written = false, false
    -- What is remembered anyway does not begin a slice.
    if ring.slice == ring.now or ring.refresh or not ring.by_time
        or not is_known(bits, ring, ring.now, ARGV, first, k) then
      if ring.by_time then
        turn(bits, segment, ring.now)
      end
      is_new, is_written = take(bits, segment, ARGV, first, k)
    end
    written = written + (is_written and 1 or 0)
    flags[#flags + 1] = is_new and '1' or '0'
  end
  if written > 0 then
    write_slice(KEYS[1], segment)
  end
elseif segment.counters then
  for first = 5, #ARGV, k do
    local least, changed = raise(bits, segment, ARGV, first, k)
    if not least then
      full = true
      break
    end
    written = written + (changed and 1 or 0)
    flags[#flags + 1] = least == 0 and '1' or '0'
  end
  if written > 0 then
    write_counters(KEYS[1], segment)
  end
end
local bits_changed, insertions = segment.bitsSet - before, segment.insertions - had
segment.bitsSet, segment.insertions = before, had

-- Redis turns a number argument back into text at every call, so the bit value is the text '1'.
for first = (ring or segment.counters) and #ARGV + 1 or 5, #ARGV, k do
  local changed = 0
  local refused = false
  if insertions < room then
    for i = first, first + k - 1 do
      if redis.call('SETBIT', bits, ARGV[i], '1') == 0 then
        changed = changed + 1
      end
    end
  else
    for i = first, first + k - 1 do
      if redis.call('GETBIT', bits, ARGV[i]) == 0 then
        refused = true
        break
      end
    end
    if refused and not grows then
      full = true
      break
    end
  end
  if refused then
    flags[#flags + 1] = '2'
  elseif changed > 0 then
    bits_changed = bits_changed + changed
    insertions = insertions + 1
    flags[#flags + 1] = '1'
  else
    flags[#flags + 1] = '0'
  end
end

if (insertions > 0 or written > 0) and not segment.adopted then
  redis.call('HSET', KEYS[1],
    'bitsSet', string.format('%.0f', segment.bitsSet + bits_changed),
    'insertions', string.format('%.0f', segment.insertions + insertions),
    'mark', ARGV[3])
elseif insertions > 0 or is_awaited then
  redis.call('HSET', KEYS[1],
    'insertions', string.format('%.0f', segment.insertions + insertions))
end
if insertions > 0 and KEYS[3] and is_counter(KEYS[3]) then
  redis.call('INCRBY', KEYS[3], string.format('%.0f', insertions))
end
return {full and 'FULL' or 'OK', table.concat(flags), segment.next}
