package io.github.bloomgate.follow;

import java.util.Optional;

/**
 * The latest frames with changes of one content, in order. A follower keeps the last entry that it
 * has sent; when the entries after that one have been dropped, the entry says so. Entries that were
 * made from one change of a segment are complete only together. Not thread-safe.
 */
final class FrameLog {

  /** An entry takes this much in addition to its frame. */
  private static final int ENTRY_BYTES = 64;

  /** A frame, or the note that a segment must be sent as a whole. */
  static final class Entry {

    private final long number;
    private final int segment;
    private byte[] frame;
    private Entry next;
    private boolean isLeft;
    private boolean isComplete;

    private Entry(long number, int segment, byte[] frame) {
      this.number = number;
      this.segment = segment;
      this.frame = frame;
    }

    long number() {
      return number;
    }

    int segment() {
      return segment;
    }

    /** Empty if the whole segment must be sent. */
    Optional<byte[]> frame() {
      return Optional.ofNullable(frame);
    }

    /** The next entry; empty at the end, and after the next one was dropped. */
    Optional<Entry> next() {
      return Optional.ofNullable(next);
    }

    /** Whether entries after this one were dropped. */
    boolean isBehind() {
      return isLeft;
    }

    /** Whether it is the last entry of a change of its segment. */
    boolean isComplete() {
      return isComplete;
    }
  }

  private Entry first = new Entry(0, 0, null);
  private Entry last = first;
  private long bytes;

  FrameLog() {
    complete();
  }

  /** The last entry; one without a meaning at the beginning. */
  Entry last() {
    return last;
  }

  /** Ends a change of a segment. */
  void complete() {
    last.isComplete = true;
  }

  /** Adds the note that a segment must be sent as a whole. */
  void addWhole(int segment, long most) {
    add(new Entry(last.number + 1, segment, null), most);
  }

  /**
   * Adds a frame, and drops the oldest ones.
   *
   * @param most the bytes to keep
   */
  void add(int segment, byte[] frame, long most) {
    add(new Entry(last.number + 1, segment, frame), most);
  }

  private void add(Entry entry, long most) {
    last.next = entry;
    last = entry;
    bytes += bytes(entry);
    while (bytes > most && first.next != last) {
      var next = first.next;
      // Followers that wait at it would keep all entries after it in memory.
      first.next = null;
      first.isLeft = true;
      first = next;
      bytes -= bytes(next);
    }
  }

  private static int bytes(Entry entry) {
    return ENTRY_BYTES + (entry.frame == null ? 0 : entry.frame.length);
  }

  /** The entry with a number, if those after it are still there. */
  Optional<Entry> find(long number) {
    for (var entry = first; entry != null && entry.number <= number; entry = entry.next) {
      if (entry.number == number) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }
}
