-- Part of the scripts on the generation whose state is KEYS[1]. Their calls name the version of the state, or the
-- incarnation of its content. These replies refuse a call; nothing was changed:
--   {'CHANGED'}     there is no such generation any more; find shows what there is
--   {'DAMAGED'}     a number of the state is malformed
--   {'EXISTS'}      there must be no filter, but there is one, or a deletion of one that was cut off
--   {'WRONG_TYPE'}  there must be no filter, and the key holds another type

local NUMBERS = {expiresAt = true, generation = true, received = true, idleTimeout = true, filterExpiresAt = true}

-- Returns fields of the state, '' for a missing one, if the first is what the caller knows; or nil and the refusal.
local function read_state(first, known, ...)
  local state = typed('HMGET', KEYS[1], first, ...)
  if not state or (state[1] or '') ~= known then
    return nil, {'CHANGED'}
  end
  for i, name in ipairs({first, ...}) do
    state[i] = state[i] or ''
    if NUMBERS[name] and not is_number(state[i]) then
      return nil, {'DAMAGED'}
    end
  end
  return state
end

-- The same for a version, which is '' if there must be no filter.
local function read_state_or_none(version, ...)
  if version == '' and redis.call('EXISTS', KEYS[1]) == 1 then
    return nil, {redis.call('TYPE', KEYS[1]).ok == 'hash' and 'EXISTS' or 'WRONG_TYPE'}
  end
  return read_state('version', version, ...)
end
