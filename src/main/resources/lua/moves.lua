-- Part of the scripts that append to segments: limits the bytes that Redis moves in a call. It moves a string that
-- outgrows its memory, and all segments of a filter may do so at the same time: with the first append after a fold, a
-- copy or a restart of Redis, or when equally long journals have used up the spare room.
local MOST_MOVED, SHORT = 2621440, 16384
local moved = 0

-- Whether an append to a string of this length must wait for another call, because it could move the string.
local function must_wait(length)
  return moved > 0 and moved + length > MOST_MOVED
end

-- The memory of a string before an append; false if it is too short to matter, or the only one of the call.
local function measured(key, length)
  return length >= SHORT and #KEYS > 2 and redis.pcall('MEMORY', 'USAGE', key)
end

-- Counts a string that an append has moved. Without permission to measure, each counts.
local function count_move(key, length, before)
  if before and redis.pcall('MEMORY', 'USAGE', key) ~= before then
    moved = moved + length
  end
end
