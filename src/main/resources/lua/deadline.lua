-- Gives keys a deadline, or takes it away. Included by the other scripts.
--
-- set_deadline(deadline, ...)  deadline: Unix time in milliseconds as a string, '0' for none;
--                              then the keys, of which any may be missing
local function set_deadline(deadline, ...)
  for _, key in ipairs({...}) do
    if deadline == '0' then
      redis.call('PERSIST', key)
    else
      redis.call('PEXPIREAT', key, deadline)
    end
  end
end
