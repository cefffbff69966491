-- Part of the scripts that drop segments. They expire 10 to 60 seconds from now, a few at a time, because Redis needs
-- 0.15 ms to free 2 MiB.
local function drop_soon(first)
  local call, some, left = redis.call, math.ceil((#KEYS - first + 1) / 50), nil
  for i = first, #KEYS do
    if (i - first) % some == 0 then
      left = string.format('%d', 10000 + 1000 * (i - first) / some)
    end
    call('PEXPIRE', KEYS[i], left)
  end
end
