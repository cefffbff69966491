-- Gives keys a deadline, or takes it away. Included by the other scripts.
--
-- set_deadline(deadline, ...)  deadline: Unix time in milliseconds as a string, '0' for none;
--                              then the keys, of which any may be missing
-- earliest_deadline(at, deadline, ...)  the earliest of a deadline and of those that keys have;
--                              at: Unix time in milliseconds now
local function set_deadline(deadline, ...)
  for _, key in ipairs({...}) do
    if deadline == '0' then
      redis.call('PERSIST', key)
    else
      redis.call('PEXPIREAT', key, deadline)
    end
  end
end

local function earliest_deadline(at, deadline, ...)
  local earliest = tonumber(deadline)
  for _, key in ipairs({...}) do
    local left = redis.call('PTTL', key)
    -- Less than a second is no other deadline, but what was told of this one takes a moment.
    if left >= 0 and (earliest == 0 or at + left < earliest - 1000) then
      earliest = at + left
    end
  end
  return string.format('%.0f', earliest)
end
