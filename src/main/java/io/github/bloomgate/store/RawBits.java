package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Effect;
import io.vertx.redis.client.Request;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Elements to test or add in raw content.
 *
 * @param offsets the offset of each bit of each element, 4 bytes each
 * @param maxInsertions insertions from which new elements are refused; 0 for no limit
 */
public record RawBits(RawContent raw, byte[] offsets, long maxInsertions) implements Bits {

  @Override
  public StoredGeneration generation() {
    return raw.generation();
  }

  @Override
  public List<String> keys() {
    return raw.keys(List.of());
  }

  @Override
  public void put(Request request, Effect effect) {
    request.arg(generation().version()).arg(offsets).arg(raw.shape().numHashFunctions());
    request.arg(effect.name()).arg(maxInsertions);
    request.arg("").arg(raw.shape().segmentBits()).arg(FilterStore.flag(raw.adopted().isPresent()));
    request.arg(lastByte()).arg("");
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
