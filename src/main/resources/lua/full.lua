-- Part of the scripts that also change a full Redis: it refuses a script's first write if that may take memory, and no
-- later one. The key is a hash.
local function begin_although_full(key)
  redis.call('HDEL', key, '')
end
