package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.RedisMemory;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.OptionalLong;

/** How much Redis still takes, and how much a filter takes of it. */
@ApplicationScoped
public class MemoryLeft {

  /** State, name and header of a string, with some to spare. */
  private static final long BYTES_BESIDE_BITS = 1024;

  /** From this size on the allocator of Redis has four sizes for each doubling. */
  private static final long SMALLEST_ROUNDED = 16 << 10;

  private final RedisLink redis;

  MemoryLeft(RedisLink redis) {
    this.redis = redis;
  }

  /** What Redis tells of its memory. */
  public StoreMemory read() {
    return await(RedisMemory.read(redis));
  }

  /** How many more bytes Redis takes; empty if it does not say. Never fails. */
  public OptionalLong bytes() {
    try {
      return read().left();
    } catch (BloomException failure) {
      // Whatever is done next fails too if that matters.
      return OptionalLong.empty();
    }
  }

  /** How many bytes Redis takes from its memory for the bitmaps of a filter, at most. */
  public static long bytesFor(Filter filter) {
    return filter.layers().stream().mapToLong(layer -> bytesFor(layer.shape())).sum();
  }

  /** Likewise of one of its layers. */
  public static long bytesFor(FilterShape shape) {
    return shape.segments() * rounded(shape.segmentBytes() + BYTES_BESIDE_BITS);
  }

  private static long rounded(long bytes) {
    if (bytes <= SMALLEST_ROUNDED) {
      return bytes;
    }
    var step = Long.highestOneBit(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
  }
}
