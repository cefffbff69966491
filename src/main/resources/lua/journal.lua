-- The journal of a segment: what was added since its bitmap, the snapshot, was written. Included by
-- other scripts, after guard, clock, window and counters; not a script of its own.
--
-- It follows the snapshot in the same string, so both appear, move, expire and vanish as one. It is a
-- row of blocks: 2 bytes with the number of entries, the entries, and the mark of the block. An entry is
-- the k bit offsets of one element, 3 bytes each. Of a segment that forgets they are those in a ring, and
-- a block may have 0x8000 for the number of entries: then a slice begins, whose number is there in 8 bytes, high
-- byte first. Of a segment with counters they are those of counters, and 0x4000 is added to the number of
-- entries that are removed. Positions count the bytes of blocks since the
-- generation began: base that of the first byte that is kept, folded how far the snapshot has come, tip
-- the end. Bits and counts in the state are those of the snapshot. Adopted bitmaps have no journal.
--
-- open_content(state, segment)       looks at its window or its counters, if it has some; see there
-- snapshot_bytes(segment)           the length of the snapshot, and so where the journal begins
-- knows(state, bits, segment, position, mark)  whether the mark of what was written last before this
--                                   position is this one: then whoever names both has seen this history
-- append(state, bits, segment, blocks)  journals blocks
-- replay(bits, segment, k, most)    brings the snapshot further, by whole blocks, until at least so many
--                                   bits were set or the tip is reached; the caller writes the counts.
--                                   Returns nil, or {'DAMAGED', 'bits'} where the journal is none
-- write_snapshot(state, bits, segment, snapshot, base, base_mark)  keeps only what was journaled from
--                                   base on; snapshot: its bytes
-- write_counts(state, segment)      writes what a snapshot that has come further counts
local function number(n)
  return string.format('%.0f', n)
end

local function open_content(state, segment)
  return open_window(state, segment) or open_counters(state, segment)
end

local function snapshot_bytes(segment)
  return math.ceil(segment.segmentBits / 8)
end

local function knows(state, bits, segment, position, mark)
  if mark == '' then
    return false
  elseif position == segment.tip then
    return mark == segment.mark
  elseif position == segment.base then
    return mark == redis.call('HGET', state, 'baseMark')
  elseif position < segment.base + 16 or position > segment.tip then
    return false
  end
  local last = snapshot_bytes(segment) + position - segment.base
  return mark == redis.call('GETRANGE', bits, number(last - 16), number(last - 1))
end

local function append(state, bits, segment, blocks)
  local mark = string.sub(blocks, -16)
  redis.call('APPEND', bits, blocks)
  if segment.tip == segment.base then
    redis.call('HSET', state, 'tip', number(segment.tip + #blocks), 'mark', mark, 'baseMark', segment.mark)
  else
    redis.call('HSET', state, 'tip', number(segment.tip + #blocks), 'mark', mark)
  end
  segment.tip = segment.tip + #blocks
  segment.mark = mark
end

local function offsets_of(entry, from, length, limit)
  local offsets = {}
  for i = from, from + length - 1, 3 do
    local a, b, c = string.byte(entry, i, i + 2)
    local offset = 65536 * a + 256 * b + c
    if offset >= limit then
      return nil
    end
    offsets[#offsets + 1] = offset
  end
  return offsets
end

local function number_of(bytes)
  local value = 0
  for i = 1, #bytes do
    value = 256 * value + string.byte(bytes, i)
  end
  return value
end

local function add_entry(bits, segment, offsets)
  if segment.ring then
    take(bits, segment, offsets, 1, #offsets)
    return
  elseif segment.counters then
    raise(bits, segment, offsets, 1, #offsets)
    return
  end
  -- A full segment refuses what is new, and what is known changes nothing.
  if segment.maxInsertions > 0 and segment.insertions >= segment.maxInsertions then
    return
  end
  local changed = 0
  for i = 1, #offsets do
    if redis.call('SETBIT', bits, number(offsets[i]), '1') == 0 then
      changed = changed + 1
    end
  end
  if changed > 0 then
    segment.bitsSet = segment.bitsSet + changed
    segment.insertions = segment.insertions + 1
  end
end

local function replay(bits, segment, k, most)
  local set = 0
  local length = 3 * k
  local ring = segment.ring
  local limit = ring and ring.bits or segment.counters and segment.segmentBits / 4 or segment.segmentBits
  while segment.folded < segment.tip and set < most do
    local first = snapshot_bytes(segment) + segment.folded - segment.base
    local high, low = string.byte(redis.call('GETRANGE', bits, number(first), number(first + 1)), 1, 2)
    local count = 256 * high + low
    local begins = count == 32768 and ring and ring.by_time
    local removes = segment.counters and count > 16384
    local bytes, entries = block_bytes(count, k, begins, segment.counters)
    local next_block = segment.folded + 2 + (bytes or 0) + 16
    if not bytes or next_block > segment.tip then
      return {'DAMAGED', 'bits'}
    end
    local content = redis.call('GETRANGE', bits, number(first + 2), number(first + 1 + bytes))
    if begins then
      set = set + turn(bits, segment, number_of(content))
    else
      for i = 1, bytes, length do
        local offsets = offsets_of(content, i, length, limit)
        if not offsets then
          return {'DAMAGED', 'bits'}
        end
        if removes then
          lower(bits, segment, offsets, 1, k)
        else
          add_entry(bits, segment, offsets)
        end
      end
      set = set + entries * (k + (ring and 2 * ring.rings or segment.counters and k or 0))
    end
    segment.folded = next_block
  end
end

local function write_snapshot(state, bits, segment, snapshot, base, base_mark)
  local tail = redis.call('GETRANGE', bits, number(snapshot_bytes(segment) + base - segment.base), '-1')
  redis.call('SET', bits, snapshot .. tail, 'KEEPTTL')
  redis.call('HSET', state, 'base', number(base), 'baseMark', base_mark)
  segment.base = base
end

local function write_counts(state, segment)
  redis.call('HSET', state, 'bitsSet', number(segment.bitsSet),
    'insertions', number(segment.insertions), 'folded', number(segment.folded))
  if segment.ring then
    write_slice(state, segment)
  elseif segment.counters then
    write_counters(state, segment)
  end
end
