package io.github.bloomgate.bench;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Reads the frames of a followed filter, as docs/follow.md defines them. Only ages count. */
final class FrameReader {

  private static final int TYPE_AND_LENGTH = 5;
  private static final int AT = 5;
  private static final int END = 6;

  /** The part of an AT with its ages: a time, four bytes and eight bytes. */
  private static final int AGES = 20;

  private final ByteBuffer head = ByteBuffer.allocate(TYPE_AND_LENGTH);
  private final ByteBuffer ages = ByteBuffer.allocate(AGES);

  /** When the request was sent, by {@link System#nanoTime()}. */
  private final long sent;

  private int type;
  private int left;
  private boolean hasAt;

  /** The time, by the same clock, that the copy is as of. */
  private long asOf;

  FrameReader(long sent) {
    this.sent = sent;
  }

  void read(ByteBuffer in) {
    while (in.hasRemaining()) {
      if (left > 0) {
        readPayload(in);
      } else {
        head.put(in.get());
        if (!head.hasRemaining()) {
          begin();
        }
      }
    }
  }

  private void begin() {
    head.flip();
    type = head.get();
    left = head.getInt();
    head.clear();
    ages.clear();
    if (type == END) {
      throw new IllegalStateException("A stream of a follower ended");
    }
  }

  private void readPayload(ByteBuffer in) {
    var count = Math.min(left, in.remaining());
    if (type == AT) {
      var wanted = Math.min(count, ages.remaining());
      ages.put(in.slice(in.position(), wanted));
    }
    in.position(in.position() + count);
    left -= count;
    if (type == AT && left == 0) {
      var ageWhenSent = TimeUnit.MILLISECONDS.toNanos(ages.getInt(Long.BYTES));
      var sinceBegin = TimeUnit.MILLISECONDS.toNanos(ages.getLong(Long.BYTES + Integer.BYTES));
      asOf = sent + sinceBegin - ageWhenSent;
      hasAt = true;
    }
  }

  /** Whether the copy is complete. */
  boolean hasAt() {
    return hasAt;
  }

  /** The age of the copy at a time. */
  long ageNanos(long now) {
    return now - asOf;
  }
}
