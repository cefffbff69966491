package io.github.bloomgate.store;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.StoreErrors;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many adds and tests may wait for Redis at once. Each ends with its call, within the call
 * timeout or twice that; but in this time more could come than fit into the memory, while Redis
 * answers none. Thread-safe.
 */
@Singleton
public final class WaitingRoom {

  /** What a request holds beside its bit offsets, in bytes: estimated, rather too high. */
  static final int BYTES_PER_REQUEST = 8 << 10;

  private static final int PART_OF_HEAP = 4;

  private final long bytes;
  private final AtomicLong taken = new AtomicLong();

  @Inject
  WaitingRoom(MeterRegistry metrics) {
    this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP, metrics);
  }

  /** A room for so many bytes. */
  WaitingRoom(long bytes, MeterRegistry metrics) {
    this(bytes);
    Gauge.builder("bloom.waiting", this, WaitingRoom::taken)
        .description("Memory of the adds and tests that wait for Redis, estimated")
        .baseUnit("bytes")
        .register(metrics);
    Gauge.builder("bloom.waiting.limit", this, room -> room.bytes)
        .description("The most of it; beyond that requests are refused")
        .baseUnit("bytes")
        .register(metrics);
  }

  private WaitingRoom(long bytes) {
    this.bytes = bytes;
  }

  /** A room in which there is always some left. */
  public static WaitingRoom endless() {
    return new WaitingRoom(Long.MAX_VALUE);
  }

  /** How many bytes are taken now. */
  long taken() {
    return taken.get();
  }

  /** Takes room for a batch of so many bit offsets; false if there is none left. */
  boolean enter(int offsets) {
    if (taken.addAndGet(bytesOf(offsets)) <= bytes) {
      return true;
    }
    leave(offsets);
    return false;
  }

  /** Gives the room of such a batch back. */
  void leave(int offsets) {
    taken.addAndGet(-bytesOf(offsets));
  }

  private static long bytesOf(int offsets) {
    return BYTES_PER_REQUEST + (long) Long.BYTES * offsets;
  }

  /** The error for a batch for which there is no room. */
  static BloomException full() {
    return StoreErrors.unavailable(
        "Too many requests wait for Redis. Repeat the request later.", null);
  }
}
