-- Reads what is needed to settle a filter of several segments: its state, whatever condition it is
-- in, and the sets of segments that its name owns or once owned.
--
-- KEYS[1] state of the first segment, KEYS[2] list of segment sets
-- ARGV none
-- Returns {'OK', {field, value, ...}, {incarnation, segments, ...}}  either may be empty
-- Complexity: O(1). Read-only.
return {'OK', redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])}
