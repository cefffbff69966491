package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.store.StoredContent.Raw;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Elements to test or add in raw content.
 *
 * @param offsets the offset of each bit of each element, 4 bytes each
 * @param maxInsertions insertions from which new elements are refused; 0 for no limit
 */
public record RawBits(Raw raw, byte[] offsets, long maxInsertions) implements Bits {

  @Override
  public StoredGeneration generation() {
    return raw.generation();
  }

  @Override
  public List<String> keys() {
    return raw.keys(List.of());
  }

  @Override
  public void put(Arguments arguments, Effect effect) {
    arguments.add(generation().version()).add(offsets).add(raw.shape().numHashFunctions());
    arguments.add(effect.name()).add(maxInsertions);
    arguments.add("").add(raw.shape().segmentBits()).add(raw.adopted().isPresent());
    arguments.add(lastByte()).add("");
  }

  private long lastByte() {
    var last = 0L;
    for (var in = ByteBuffer.wrap(offsets); in.hasRemaining(); ) {
      last = Math.max(last, Integer.toUnsignedLong(in.getInt()) / Byte.SIZE);
    }
    return last;
  }

  @Override
  public BloomException damaged() {
    return raw.damaged();
  }
}
