-- What is checked of a filter and its source. Included by the other scripts; not a script of its own.
--
-- guard_source(state, source)
-- Returns  nil                       there are both
--          {'MOVING', move}          see guard
--          {'GONE'}                  there is no filter
--          {'NONE'}                  it has no source
--          {'WRONG_TYPE', 'source'}  the key of the source holds another type
-- holds_run(source, run)  whether that run is still the one the source is read by
local function guard_source(state, source)
  local fields = redis.pcall('HLEN', source)
  if type(fields) == 'table' then
    if string.find(fields.err, 'WRONGTYPE', 1, true) then
      return {'WRONG_TYPE', 'source'}
    end
    return fields
  end
  local moving = redis.pcall('HGET', state, 'moving')
  if type(moving) == 'string' then
    return {'MOVING', moving}
  end
  if redis.call('EXISTS', state) == 0 then
    return {'GONE'}
  end
  if fields == 0 then
    return {'NONE'}
  end
end

local function holds_run(source, run)
  return redis.call('HGET', source, 'run') == run
end
