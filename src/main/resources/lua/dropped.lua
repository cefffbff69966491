-- Part of the scripts that drop content. The note of content, '' for none: its home, incarnation and segments written.
local function note_of(home, incarnation, written)
  return (written or '') == '' and '' or home .. ' ' .. incarnation .. ' ' .. written
end

-- Whether a generation has other segments than the caller knows, which would be left behind.
local function has_written_more(state_key, known)
  local loaded = typed('HMGET', state_key, 'written')
  return loaded and (loaded[1] or '') ~= known
end

-- Lets the last keys expire 10 to 60 seconds from now, a few at a time, because Redis needs 0.15 ms to free 2 MiB.
local function drop_soon(first)
  local call, some, left = redis.call, math.ceil((#KEYS - first + 1) / 50), nil
  for i = first, #KEYS do
    if (i - first) % some == 0 then
      left = string.format('%d', 10000 + 1000 * (i - first) / some)
    end
    call('PEXPIRE', KEYS[i], left)
  end
end

-- Drops the content that a state has a note of, if the caller knew the note: then the last keys are all its segments.
local function drop_noted(state_key, note, known, keys)
  if note ~= '' and note == known then
    drop_soon(#KEYS - keys + 1)
    redis.call('HDEL', state_key, 'dropped')
  end
end
