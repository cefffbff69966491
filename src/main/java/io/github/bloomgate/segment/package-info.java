/**
 * Segments of a filter: bitmap, header and journal in one string. Reads, writes and interprets
 * their bytes without Redis and without the framework.
 *
 * <p>Replaying the journal over the bitmap in order gives the content at any position, so all
 * instances agree on which elements were new or refused and on the bits set. The Lua scripts only
 * order these bytes and do not interpret them.
 *
 * <p>The protocol of the journal, whose fields are in {@code docs/storage-layout.md}:
 *
 * <ul>
 *   <li>A <b>position</b> counts all bytes ever appended to the segment. The journal holds those
 *       from {@code base} on; {@code folded} is the position up to which the bitmap has them. So a
 *       fold that only changes the bitmap raises {@code folded}, and one that also drops the
 *       journal raises {@code base}.
 *   <li>A block ends with a random <b>mark</b>. The mark before a position identifies everything up
 *       to it. A caller names the position and mark that its copy has: if they stand in the string,
 *       the blocks behind them bring the copy up to date, and otherwise the segment has another
 *       history and is read again.
 *   <li>A <b>repeated block</b>: a call whose reply was lost is sent once more with the same mark.
 *       If the mark is among the blocks behind the copy, the first call arrived, and nothing is
 *       appended. If the journal was dropped since, the outcome is unknown.
 *   <li>A <b>joined</b> segment (copy, merge, import) gets a base above all earlier positions and a
 *       new mark, so that every instance reads it again.
 *   <li>A <b>bare</b> segment has a header and a journal, but no bitmap yet: a large one gets its
 *       bitmap with the first fold. It is shorter than bitmap and header.
 * </ul>
 */
package io.github.bloomgate.segment;
