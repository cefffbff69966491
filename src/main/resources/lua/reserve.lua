-- Reserves what a filter is about to take, if the quotas allow it; all in one step, so that many who
-- ask at once never get more together.
--
-- KEYS[1] names, KEYS[2] entries, KEYS[3] totals: see usage
-- ARGV[1] name, ARGV[2] token of the reservation, ARGV[3] bytes
-- ARGV[4] a name that takes so many, instead of these bytes; '' for none
-- ARGV[5] after how many milliseconds it may be dropped by whoever counts the name
-- ARGV[6...] for each quota: the most filters, 0 for any; the most bytes, 0 for any; how many
--         prefixes, and these
-- Returns {'OK', bytes, counted}  so many are reserved; counted: 1 if the name counted before, else 0
--         {'UNKNOWN'}       not all filters are counted; only if there is a quota
--         {'TOTAL', prefix} the bytes of these names must be added up first, see total
--         {'FILTERS', index of the quota from 0, filters}       it allows no more
--         {'BYTES', index of the quota from 0, more, taken}     likewise
-- Complexity: O(length of the name + prefixes * log of names). Writes.
-- include: usage
-- include: clock
local name, bytes = ARGV[1], tonumber(ARGV[3])
if ARGV[4] ~= '' then
  local _, like = read(ARGV[4])
  bytes = like or 0
end
local entry, before = read(name)
local more = math.max(bytes - (before or 0), 0)
if #ARGV > 5 and not (redis.call('HEXISTS', totals, '/ready') == 1 and is_whole()) then
  return {'UNKNOWN'}
end
local at, quota = 6, 0
while ARGV[at] do
  local max_filters, max_bytes = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local filters, sum = 0, 0
  local last = at + 2 + tonumber(ARGV[at + 2])
  for i = at + 3, last do
    if max_filters > 0 then
      filters = filters
        + redis.call('ZLEXCOUNT', names, '[' .. ARGV[i], '(' .. ARGV[i] .. '\255')
    end
    if max_bytes > 0 then
      local total = redis.call('HGET', totals, '=' .. ARGV[i])
      if not total or redis.call('HEXISTS', totals, '>' .. ARGV[i]) == 1 then
        return {'TOTAL', ARGV[i]}
      end
      sum = sum + tonumber(total)
    end
  end
  if max_filters > 0 and not before and filters >= max_filters then
    return {'FILTERS', quota, filters}
  end
  if max_bytes > 0 and more > 0 and sum + more > max_bytes then
    return {'BYTES', quota, string.format('%.0f', more), string.format('%.0f', sum)}
  end
  at, quota = last + 1, quota + 1
end
entry.held[ARGV[2]] = {bytes = bytes, till = now() + tonumber(ARGV[5])}
write(name, entry, before)
return {'OK', string.format('%.0f', bytes), before and 1 or 0}
