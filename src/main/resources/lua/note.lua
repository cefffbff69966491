-- Puts a name on the list of filters to be reconciled. Included by the other scripts; not a script of
-- its own.
--
-- note(unsettled, name, at)  at: Unix time in milliseconds; answers the score. That is the time of the
--                            note, or of the oldest one if the name is there already, so that it is
--                            found however often it is noted; and it grows with each note, so that
--                            nobody strikes off the note of another
local function note(unsettled, name, at)
  local noted = redis.call('ZSCORE', unsettled, name)
  local score = noted and tonumber(noted) + 1 or at
  -- Where memory is exhausted Redis refuses a script's first write, and only that, unless it frees:
  -- without a note nothing could be deleted any more. No name is empty: a set that became empty would
  -- vanish, and while its slot is handed over a node of a cluster lets nobody make it again.
  redis.call('ZREM', unsettled, '')
  redis.call('ZADD', unsettled, string.format('%.0f', score), name)
  return score
end
