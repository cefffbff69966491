-- The time of Redis: every instance of the service may have another. Included by the other scripts.
--
-- now()  Unix time in milliseconds
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
