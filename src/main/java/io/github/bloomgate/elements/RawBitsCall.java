package io.github.bloomgate.elements;

import io.github.bloomgate.model.Layer;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.store.Bits;
import io.github.bloomgate.store.RawBits;
import io.github.bloomgate.store.StoredContent.Raw;

/** Elements of raw content. */
final class RawBitsCall extends BitsCall {

  private final Raw raw;
  private final long maxInsertions;

  RawBitsCall(RoundRoom room, Raw raw, Layer layer, Effect effect) {
    super(room, effect, raw.shape().numHashFunctions(), Integer.BYTES);
    this.raw = raw;
    this.maxInsertions = layer.content().maxInsertions();
  }

  @Override
  Bits bits() {
    return new RawBits(raw, entries(), maxInsertions);
  }
}
