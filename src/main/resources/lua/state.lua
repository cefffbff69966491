-- Part of the scripts that change the filter whose state is KEYS[1].
-- Returns its version and the other fields, '' for a missing one; or nil and the reply that refuses the call.
local function read_state(version, ...)
  local stored = typed('HMGET', KEYS[1], 'version', ...)
  if not stored then
    return nil, {'WRONG_TYPE'}
  elseif not stored[1] then
    return nil, {'GONE'}
  elseif stored[1] ~= version then
    return nil, {'CHANGED'}
  end
  for i = 2, select('#', ...) + 1 do
    stored[i] = stored[i] or ''
  end
  return stored
end

-- The same; or '' in all fields if the version is '' and there is no filter yet.
local function read_state_or_none(version, ...)
  local state, refused = read_state(version, ...)
  if version == '' and refused[1] == 'CHANGED' then
    return nil, {'EXISTS'}
  elseif version == '' and refused[1] == 'GONE' then
    state, refused = {''}, nil
    for i = 1, select('#', ...) do
      state[i + 1] = ''
    end
  end
  return state, refused
end

-- When Redis is full, it refuses a script's first write if that may take memory, and no later one.
local function begin_although_full()
  redis.call('HDEL', KEYS[1], '')
end
