-- Part of advance: the work on one segment. Needs segment and moves, and the time in milliseconds in now.
local MOST_BYTES, SMALL = 1048576, 65536
local stamp, bytes = struct.pack('>I6', now), 0

-- When Redis is full, tests still get their answers: only other errors fail the call. Redis refuses the first write
-- of a script, or none.
local function is_refused(...)
  local done = redis.pcall(...)
  if type(done) ~= 'table' or not done.err then
    return false
  end
  return string.find(done.err, 'OOM', 1, true) and true or redis.call(...)
end

-- One command creates the segment and its expiry, so a crash leaves all of it or nothing.
local function make(key, group, block, expiry)
  local is_bare = group.B > SMALL and group.H + #block <= group.B / 2
  local made = (is_bare and '' or string.rep('\0', group.B)) .. 'BLOOMSG\1' .. string.rep('\0', group.H - 8) .. block
  bytes = bytes + #made
  if expiry ~= '' then
    return is_refused('SET', key, made, 'PXAT', expiry)
  end
  return is_refused('SET', key, made)
end

-- Returns the reply, and whether the segment exists and must be listed.
local function advance(key, group, listed, position, mark, sent)
  local length = typed('STRLEN', key)
  if bytes > MOST_BYTES then
    return {'MORE'}
  elseif not length then
    return {'WRONG_TYPE'}
  end
  local block = sent ~= '' and string.sub(sent, 9) .. stamp .. string.sub(sent, 1, 8)
  if length == 0 then
    if listed then
      return {'DAMAGED'}
    elseif position ~= '0' or mark ~= UNWRITTEN then
      return {'REREAD'}
    elseif not block then
      return 'SAME'
    end
    local expiry = redis.call('HGET', group.state, 'expiresAt') or ''
    if not is_number(expiry) then
      return {'DAMAGED'}
    end
    local refused = make(key, group, block, expiry)
    return refused and {'FULL'} or 'SAME', not refused
  end
  local journal, reply = (length >= group.B + group.H and group.B or 0) + group.H, 'SAME'
  if not listed or mark == UNWRITTEN or redis.call('GETRANGE', key, -8, -1) ~= mark then
    local segment, from = read_header(key, group.B, group.H, length), tonumber(position)
    if not segment then
      return {'DAMAGED'}
    elseif not stands(key, segment, from, mark) then
      return {'REREAD'}, true
    elseif from < segment.tip and ARGV[1] == '' then
      bytes = bytes + segment.tip - from
      if bytes > MOST_BYTES and segment.tip - from < bytes then
        return {'MORE'}
      end
      reply = {'NEW', redis.call('GETRANGE', key, segment.journal + from - segment.base, -1)}
    end
  end
  if not block then
    return reply, true
  elseif reply ~= 'SAME' and string.find(reply[2], string.sub(sent, 1, 8), 1, true) then
    return {'AGAIN', reply[2]}, true
  elseif length - journal >= group.limit or (journal == group.H and group.B > 0 and length + #block > group.B / 2) then
    return {'LONG', reply == 'SAME' and '' or reply[2]}, true
  elseif must_wait(length) then
    return {'LATER', reply == 'SAME' and '' or reply[2]}, true
  end
  local before = measured(key, length)
  if is_refused('APPEND', key, block) then
    return {'FULL'}, true
  end
  count_move(key, length, before)
  return reply, true
end
