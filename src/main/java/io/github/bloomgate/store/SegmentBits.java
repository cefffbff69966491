package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.SegmentFormat;
import io.vertx.redis.client.Request;
import java.util.List;

/**
 * Elements to test or add in one segment.
 *
 * @param entries the offset of each bit of each element, 3 bytes each; at most {@link #MAX_BITS}
 * @param mark the mark of a block that adds the elements
 */
public record SegmentBits(
    StoredGeneration generation, int segment, SegmentFormat format, byte[] entries, byte[] mark)
    implements Bits {

  /** The most bits of one segment in a call, which sets them by one command. */
  public static final int MAX_BITS = 1_024;

  @Override
  public List<String> keys() {
    return List.of(generation.stateKey(), generation.segmentKey(segment));
  }

  @Override
  public void put(Request request, Effect effect) {
    request.arg(generation.version()).arg(entries).arg(format.numHashFunctions());
    request.arg(effect.name()).arg(format.kind().maxInsertions());
    request.arg(segment).arg(format.bitmapBytes()).arg(format.headerBytes());
    request.arg(mark).arg(format.journalLimit());
  }

  @Override
  public BloomException damaged() {
    return generation.damaged(segment);
  }
}
