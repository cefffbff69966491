/**
 * A copy of a segment that follows the journal of its changes.
 *
 * <p>A segment in Redis is a snapshot, its bitmap, and behind it a journal of the elements added
 * since, in {@link io.github.bloomgate.journal.Blocks}. A reader that replays the journal over the
 * snapshot, in order, has the content of the segment and its counts; as all do so in the same
 * order, all have the same. A {@link io.github.bloomgate.journal.SegmentCopy} does it in memory,
 * and then needs only what was journaled since the position that it has reached. That its history
 * is that of the segment is proved by the random mark that ends each block. {@link
 * io.github.bloomgate.journal.SegmentCopies} holds the copies that this instance uses.
 *
 * <p>Nothing here talks to Redis.
 */
package io.github.bloomgate.journal;
