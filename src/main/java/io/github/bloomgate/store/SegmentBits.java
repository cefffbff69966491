package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.SegmentFormat;
import java.util.List;

/**
 * Elements to test or add in one segment.
 *
 * @param entries the offset of each bit of each element, 3 bytes each; at most {@link
 *     #MAX_PER_CALL}
 * @param mark the mark of a block that adds the elements
 */
public record SegmentBits(
    StoredGeneration generation, int segment, SegmentFormat format, byte[] entries, byte[] mark)
    implements Bits {

  @Override
  public List<String> keys() {
    return List.of(generation.stateKey(), generation.segmentKey(segment));
  }

  @Override
  public void put(Arguments arguments, Effect effect) {
    arguments.add(generation.version()).add(entries).add(format.numHashFunctions());
    arguments.add(effect.name()).add(format.kind().maxInsertions());
    arguments.add(segment).add(format.bitmapBytes()).add(format.headerBytes());
    arguments.add(mark).add(format.journalLimit());
  }

  @Override
  public BloomException damaged() {
    return generation.damaged(segment);
  }
}
