-- What the target of a rename across slots keeps of it. Included by the scripts that run there, after
-- clock; not a script of its own.
--
-- move_entry(moves, id)  the status of a move, 'open', 'arrived' or 'undone', then until when whoever
--                        does it may go on, then the name that moves; nil if there is no such move
-- set_move(moves, id, status, lease, from)  notes a move; lease: in milliseconds from now
local function move_entry(moves, id)
  local entry = redis.call('HGET', moves, id)
  if not entry then
    return nil
  end
  local status, till, from = string.match(entry, '^(%a+) (%d+) (.+)$')
  return status, tonumber(till), from
end

local function set_move(moves, id, status, lease, from)
  redis.call('HSET', moves, id,
    status .. ' ' .. string.format('%.0f', now() + tonumber(lease)) .. ' ' .. from)
end
