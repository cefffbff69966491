package io.github.bloomgate.service;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of bitmaps may be worked on at once. Thread-safe. */
final class BulkRoom {

  private final long maxBytes;
  private final AtomicLong taken = new AtomicLong();

  BulkRoom(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes bytes, unless too many are taken; one who is alone gets any number. */
  boolean take(long bytes) {
    var before = taken.getAndAdd(bytes);
    if (before == 0 || before + bytes <= maxBytes) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }
}
