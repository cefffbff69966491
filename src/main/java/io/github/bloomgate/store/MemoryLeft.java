package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.RedisInfo;
import io.github.bloomgate.redis.RedisLink;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.OptionalLong;

/** Checks the free memory of Redis. */
@Singleton
public class MemoryLeft {

  /** Key, header and overhead of a segment, generously. */
  private static final long BYTES_BESIDE_BITS = 1024;

  /**
   * Up to this size a check is not worth a call, because Redis itself refuses writes at its limit.
   */
  private static final long SMALL = 4 << 20;

  /** From this size on the allocator of Redis has four sizes for each doubling. */
  private static final long SMALLEST_ROUNDED = 16 << 10;

  private final RedisLink redis;

  MemoryLeft(RedisLink redis) {
    this.redis = redis;
  }

  /** Reads the memory figures of Redis; unknown for a cluster. */
  public StoreMemory read() {
    return redis.isCluster() ? StoreMemory.UNKNOWN : await(RedisInfo.read(redis)).memory();
  }

  /**
   * Checks that Redis has memory for layers of a filter, unless they are small.
   *
   * @throws BloomException STORE_FULL
   */
  public void require(FilterName name, List<Layer> layers) {
    var needed = layers.stream().mapToLong(layer -> bytesFor(layer.shape())).sum();
    if (needed <= SMALL) {
      return;
    }
    left()
        .ifPresent(
            left -> {
              if (needed > left) {
                throw BloomException.of(
                    ErrorCode.STORE_FULL,
                    "The filter '%s' needs %d bytes of Redis memory, but only %d bytes are left. Nothing was changed. Create a smaller filter, delete others or raise maxmemory, then repeat the request."
                        .formatted(name, needed, left));
              }
            });
  }

  private static long bytesFor(FilterShape shape) {
    return shape.segments() * rounded(shape.segmentBytes() + BYTES_BESIDE_BITS);
  }

  private static long rounded(long bytes) {
    if (bytes <= SMALLEST_ROUNDED) {
      return bytes;
    }
    var step = Long.highestOneBit(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
  }

  private OptionalLong left() {
    try {
      return read().left();
    } catch (BloomException failure) {
      // If this matters, the next call to Redis fails too.
      return OptionalLong.empty();
    }
  }
}
