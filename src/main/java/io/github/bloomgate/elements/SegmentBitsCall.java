package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.store.Bits;
import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.SegmentBits;

/** Elements of a segment without a copy. */
final class SegmentBitsCall extends BitsCall {

  private static final int BYTES_OF_BIT = 3;

  private final HeldSegments held;
  private final Generation generation;
  private final Layer layer;
  private final int segment;

  SegmentBitsCall(
      RoundRoom room,
      HeldSegments held,
      Generation generation,
      Layer layer,
      int segment,
      Effect effect) {
    super(room, effect, layer.format().numHashFunctions(), BYTES_OF_BIT);
    this.held = held;
    this.generation = generation;
    this.layer = layer;
    this.segment = segment;
  }

  @Override
  Bits bits() {
    return new SegmentBits(
        generation.stored(), segment, layer.format(), entries(), BlockWriter.freshMark());
  }

  @Override
  void answer(BitsReply reply) {
    super.answer(reply);
    if (reply instanceof BitsReply.Verdicts) {
      held.countUse(generation, segment);
    } else if (reply instanceof BitsReply.NotDone) {
      held.requireCopy(generation, segment);
    }
  }
}
