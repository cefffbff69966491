-- The time of Redis: every instance of the service may have another. Included by the other scripts.
--
-- now()  Unix time in milliseconds
-- fields_of(state, window)  all fields of a state; of one that forgets, which has a window, also a
--                           field now, with the same
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function fields_of(state, window)
  local fields = redis.call('HGETALL', state)
  if window then
    fields[#fields + 1] = 'now'
    fields[#fields + 1] = string.format('%.0f', now())
  end
  return fields
end
