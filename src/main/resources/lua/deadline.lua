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

-- The list of segment sets also names those that wait to be freed. It must outlive them, so it
-- shares the deadline of the filter only while it names nothing but the filter's own.
local function set_list_deadline(deadline, segments)
  if redis.call('HLEN', segments) > 1 then
    deadline = '0'
  end
  set_deadline(deadline, segments)
end
