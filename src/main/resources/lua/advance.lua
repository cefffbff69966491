-- Appends blocks to the journals of many segments, and returns the blocks that other instances appended since the
-- caller last looked. A group is one layer of one generation of a filter: its state and some of its segments.
--
-- KEYS    for each group its state, then its segments
-- ARGV[1] '1' to return no blocks, and to write the field barrier of each state, behind which replicas can confirm what
--         the caller knows; else ''
-- ARGV[2...] for each group: the version the caller knows; the indexes of its segments, 2 bytes each; bytes of a
--         bitmap; bytes of a header; the length in bytes from which a journal takes no more blocks.
--         Then for each of its segments: the position and mark up to which the caller knows it (0 and 8 zero bytes if
--         it did not exist), and the block to append: its mark, then its count, flags and entries; '' to append nothing
-- Returns {'OK', milliseconds, group, ...}  milliseconds: Redis's clock, the stamp of all blocks appended by this call
--   group: {'CHANGED'}: there is no such generation with this version, and nothing was done for its segments.
--          Otherwise {'OK', reply, ...} with one reply for each segment:
--     'SAME'             nothing new; the caller's block was appended
--     {'NEW', blocks}    other instances appended these blocks; the caller's block was appended behind them
--     {'AGAIN', blocks}  the call was repeated: these blocks include the caller's, and nothing was appended
--     {'LONG', blocks}   the journal is full, or the segment still lacks its bitmap and is half as long: nothing was
--                        appended, fold it first
--     {'LATER', blocks}  an append could move the string, and the call has moved enough: nothing was appended
--     {'REREAD'}         the segment has another history, or no longer keeps these blocks; nothing was appended
--     {'FULL'}           Redis is out of memory; nothing was appended
--     {'MORE'}           the reply is long enough without this segment, for which nothing was done
--     {'DAMAGED'}        the segment is missing or malformed, or the expiry of a new one is; nothing was appended
--     {'WRONG_TYPE'}     the segment is of another type; nothing was appended
-- Complexity: O(segments + bytes read and appended). Writes.
local pcall, byte, band, rshift = redis.pcall, string.byte, bit.band, bit.rshift
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Called only if something changed or is appended: creating these functions takes as long as answering without them.
local function make_advance()
-- include: typed
-- include: segment
-- include: moves
-- include: append
  return advance, with_listed
end

local advance, with_listed
local replies, key, arg = {'OK', now}, 1, 2
while key <= #KEYS do
  local stored = pcall('HMGET', KEYS[key], 'version', 'written')
  local indexes, answers, group, is_changed = ARGV[arg + 1], {'OK'}, nil, false
  local count, written = #indexes / 2, stored[2] or ''
  if stored.err and not string.find(stored.err, 'WRONGTYPE', 1, true) then
    return stored
  elseif stored.err or stored[1] ~= ARGV[arg] then
    answers = {'CHANGED'}
  else
    for i = 1, count do
      local segment, at = KEYS[key + i], arg + 2 + 3 * i
      local high, low = byte(indexes, 2 * i - 1, 2 * i)
      local bits = byte(written, 32 * high + rshift(low, 3) + 1)
      local listed = bits and band(bits, rshift(128, low % 8)) ~= 0
      if ARGV[at + 2] == '' and listed and ARGV[at + 1] ~= '\0\0\0\0\0\0\0\0'
        and pcall('GETRANGE', segment, -8, -1) == ARGV[at + 1] then
        answers[i + 1] = 'SAME'
      else
        if not advance then
          advance, with_listed = make_advance()
        end
        group = group or {state = KEYS[key], B = tonumber(ARGV[arg + 2]), H = tonumber(ARGV[arg + 3]),
          limit = tonumber(ARGV[arg + 4])}
        local is_there
        answers[i + 1], is_there = advance(segment, group, listed, ARGV[at], ARGV[at + 1], ARGV[at + 2])
        if is_there and not listed then
          written, is_changed = with_listed(written, 256 * high + low), true
        end
      end
    end
    if is_changed then
      redis.call('HSET', KEYS[key], 'written', written)
    end
    if ARGV[1] == '1' then
      -- WAIT covers what its own connection has written, but blocks may have come from another one.
      redis.call('HSET', KEYS[key], 'barrier', '')
    end
  end
  replies[#replies + 1] = answers
  key, arg = key + 1 + count, arg + 5 + 3 * count
end
return replies
