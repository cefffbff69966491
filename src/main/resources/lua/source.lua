-- Part of the scripts on a source: KEYS[1] is the state of the filter, KEYS[2] the source.
-- Returns the reply that refuses the call, or nil.
local function check_filter(with_source)
  local state, source = typed('HMGET', KEYS[1], 'version', 'source', 'expiresAt'), redis.call('TYPE', KEYS[2]).ok
  if not state or (source ~= 'hash' and source ~= 'none') then
    return {'WRONG_TYPE'}
  elseif not state[1] then
    return {'GONE'}
  elseif not is_number(state[3] or '') then
    return {'DAMAGED'}
  elseif with_source and (state[2] ~= '1' or source == 'none') then
    return {'NONE'}
  end
  return nil
end
