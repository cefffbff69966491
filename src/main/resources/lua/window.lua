-- A segment that forgets: it has a ring of bits for each slice of its window and one more, side by
-- side. Slice s has ring s modulo their number; an element has the same offsets in all of them. Included
-- by other scripts, after guard and clock; not a script of its own.
--
-- Slices begin by the clock, or when the newest one has taken its part. A clock that is set back, or that
-- of a replica, never lets one come back.
--
-- open_window(state, segment)   gives the segment, if it forgets, a field ring: {slices=, rings=, bits=
--                               of one ring, refresh=, limit= elements of a slice, by_time=, slice= the one
--                               that took an element last, taken= how many it took, newest= the last one that
--                               anything was journaled or written in, now= the one that it is now, held= how many
--                               bits are 1 in each ring, as text}; all but newest and now are those of the
--                               snapshot
-- Returns nil, or {'DAMAGED', 'state'}
-- is_known(bits, ring, current, args, first, k)  whether k offsets, from first on, are of an element that is
--                               remembered when it is slice current
-- turn(bits, segment, begun)    begins a slice, unless that or a later one has begun; returns about how
--                               many bits could have been set meanwhile
-- take(bits, segment, args, first, k)  adds an element in the newest slice; returns whether it was new, and
--                               whether anything was written
-- write_slice(state, segment)   writes which slice it is, and how many bits are 1 in each ring
local function open_window(state, segment)
  if not segment.window then
    return nil
  end
  local slices, refresh, millis, limit =
    string.match(segment.window, '^(%d+) ([01]) %d+ (%d+) %d+ (%d+)$')
  local stored = redis.call('HMGET', state, 'slice', 'taken', 'newestSlice', 'ringBitsSet')
  local slice, taken, newest = tonumber(stored[1] or 0), tonumber(stored[2] or 0), tonumber(stored[3] or 0)
  -- What is no number may still be NaN, which is not above anything.
  if not (slices and slice and taken and newest and slice >= 0 and taken >= 0 and newest >= 0) then
    return {'DAMAGED', 'state'}
  end
  millis = tonumber(millis)
  newest = math.max(slice, newest)
  segment.ring = {
    slices = tonumber(slices),
    rings = tonumber(slices) + 1,
    bits = segment.segmentBits / (tonumber(slices) + 1),
    refresh = refresh == '1',
    limit = tonumber(limit),
    by_time = millis > 0,
    slice = slice,
    taken = taken,
    newest = newest,
    now = millis > 0 and math.max(newest, math.floor(now() / millis)) or slice,
    held = stored[4] or '',
    gained = {}
  }
end

local function is_in(bits, ring, slice, args, first, k)
  local begin = ring.bits * (slice % ring.rings)
  for i = first, first + k - 1 do
    if redis.call('GETBIT', bits, begin + args[i]) == 0 then
      return false
    end
  end
  return true
end

local function is_known(bits, ring, current, args, first, k)
  for slice = ring.slice, math.max(0, current - ring.slices), -1 do
    if is_in(bits, ring, slice, args, first, k) then
      return true
    end
  end
  return false
end

local function gain(ring, slice, bits)
  local place = slice % ring.rings + 1
  ring.gained[place] = (ring.gained[place] or 0) + bits
end

local function turn(bits, segment, begun)
  local ring = segment.ring
  local cost = 0
  if begun <= ring.slice then
    return cost
  end
  local bytes = ring.bits / 8
  for slice = math.max(ring.slice + 1, begun - ring.slices), begun do
    local first = bytes * (slice % ring.rings)
    local set = redis.call('BITCOUNT', bits, first, first + bytes - 1)
    if set > 0 then
      redis.call('SETRANGE', bits, first, string.rep('\0', bytes))
      segment.bitsSet = segment.bitsSet - set
      gain(ring, slice, -set)
    end
    cost = cost + 32 + math.floor(bytes / 512)
  end
  ring.slice, ring.taken = begun, 0
  return cost
end

local function take(bits, segment, args, first, k)
  local ring = segment.ring
  local known = is_known(bits, ring, ring.slice, args, first, k)
  if known and (not ring.refresh or is_in(bits, ring, ring.slice, args, first, k)) then
    return false, false
  end
  if not ring.by_time and ring.taken >= ring.limit then
    turn(bits, segment, ring.slice + 1)
  end
  local begin = ring.bits * (ring.slice % ring.rings)
  local set = 0
  for i = first, first + k - 1 do
    if redis.call('SETBIT', bits, begin + args[i], '1') == 0 then
      set = set + 1
    end
  end
  segment.bitsSet = segment.bitsSet + set
  gain(ring, ring.slice, set)
  ring.taken = ring.taken + 1
  if not known then
    segment.insertions = segment.insertions + 1
  end
  return not known, true
end

local function write_slice(state, segment)
  local ring = segment.ring
  ring.newest = math.max(ring.newest, ring.slice)
  local held = {}
  for bits in string.gmatch(ring.held, '%d+') do
    held[#held + 1] = tonumber(bits)
  end
  for place = 1, ring.rings do
    held[place] = string.format('%.0f', (held[place] or 0) + (ring.gained[place] or 0))
  end
  redis.call('HSET', state, 'slice', string.format('%.0f', ring.slice),
    'taken', string.format('%.0f', ring.taken), 'newestSlice', string.format('%.0f', ring.newest),
    'ringBitsSet', table.concat(held, ' '))
end
