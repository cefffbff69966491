-- A segment whose elements can be removed: it has counters of 4 bits in place of bits. Counter p is what
-- Redis calls u4 at #p. What is added raises the counters of the element by one and what is removed lowers
-- them; a counter that has come to 15 stays there. Offsets of an element that are equal are one counter.
-- Included by other scripts, after guard; not a script of its own.
--
-- open_counters(state, segment)  gives the segment, if it has counters, a field counters: {above0= how many
--                               are not 0, full= how many are at 15}, both as of the snapshot
-- Returns nil, or {'DAMAGED', 'state'}
-- least_of(bits, args, first, k)  the smallest of the counters of an element, which has k offsets from first
--                               on; and all of them
-- raise(bits, segment, args, first, k)   adds an element, if the segment is not full. Returns the smallest
--                               of its counters before, or nil if it is refused, and whether any changed
-- lower(bits, segment, args, first, k)   removes an element, unless one of its counters is 0. Returns likewise
-- write_counters(state, segment)  writes how many there are
local POPULATION = {[0] = 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}

local function open_counters(state, segment)
  if not segment.counting then
    return nil
  end
  local stored = redis.call('HMGET', state, 'countersAbove0', 'countersFull')
  local above0, full = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
  -- Each that is not 0 has a bit at least, and one at 15 has four. What is no number may still be NaN, which
  -- is not above anything.
  if not (above0 and full and full >= 0 and above0 >= full and segment.bitsSet >= above0 + 3 * full
      and segment.bitsSet <= 3 * above0 + full) then
    return {'DAMAGED', 'state'}
  end
  segment.counters = {above0 = above0, full = full}
end

local function least_of(bits, args, first, k)
  local question = {}
  for i = first, first + k - 1 do
    local at = #question
    question[at + 1], question[at + 2], question[at + 3] = 'GET', 'u4', '#' .. args[i]
  end
  local counters = redis.call('BITFIELD_RO', bits, unpack(question))
  return math.min(unpack(counters)), counters
end

-- By one, up or down, whatever is not at 15.
local function move(bits, segment, args, first, counters, by)
  local change = {}
  local seen = {}
  local totals = segment.counters
  for i, before in ipairs(counters) do
    local offset = tonumber(args[first + i - 1])
    if before < 15 and not seen[offset] then
      seen[offset] = true
      local after = before + by
      local at = #change
      change[at + 1], change[at + 2], change[at + 3], change[at + 4] = 'SET', 'u4', '#' .. offset, after
      segment.bitsSet = segment.bitsSet + POPULATION[after] - POPULATION[before]
      totals.above0 = totals.above0 + (before == 0 and 1 or 0) - (after == 0 and 1 or 0)
      totals.full = totals.full + (after == 15 and 1 or 0)
    end
  end
  if #change > 0 then
    redis.call('BITFIELD', bits, unpack(change))
  end
  return #change > 0
end

local function raise(bits, segment, args, first, k)
  local least, counters = least_of(bits, args, first, k)
  if least == 15 then
    return least, false
  elseif segment.maxInsertions > 0 and segment.insertions >= segment.maxInsertions then
    return nil, false
  end
  move(bits, segment, args, first, counters, 1)
  segment.insertions = segment.insertions + 1
  return least, true
end

local function lower(bits, segment, args, first, k)
  local least, counters = least_of(bits, args, first, k)
  if least == 0 then
    return least, false
  end
  local changed = move(bits, segment, args, first, counters, -1)
  if changed then
    -- By removals of what was never added there may have been fewer than were removed.
    segment.insertions = math.max(0, segment.insertions - 1)
  end
  return least, changed
end

local function write_counters(state, segment)
  redis.call('HSET', state, 'countersAbove0', string.format('%.0f', segment.counters.above0),
    'countersFull', string.format('%.0f', segment.counters.full))
end
