package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.store.Bits;
import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.RawBits;
import io.github.bloomgate.store.SegmentBits;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Elements of one segment without a copy, or of raw content, that a round tests or adds bit by bit.
 */
final class BitsCall {

  private final Round round;
  private final Filter generation;
  private final LayerView layer;
  private final int segment;
  private final Effect effect;
  private final int bitsOfElement;
  private final int bytesOfBit;
  private final ByteArrayOutputStream entries = new ByteArrayOutputStream();
  private final List<ElementPart> parts = new ArrayList<>();
  private final List<Integer> elements = new ArrayList<>();

  BitsCall(Round round, Filter generation, LayerView layer, int segment, Effect effect) {
    this.round = round;
    this.generation = generation;
    this.layer = layer;
    this.segment = segment;
    this.effect = effect;
    this.bitsOfElement = layer.format().numHashFunctions();
    this.bytesOfBit = generation.isRaw() ? Integer.BYTES : 3;
  }

  Filter generation() {
    return generation;
  }

  int segment() {
    return segment;
  }

  /** Adds an element; false without room, so that it waits for the next round. */
  boolean ask(ElementPart part, int element, long[] words) {
    var isFull =
        !generation.isRaw() && entries.size() / bytesOfBit + bitsOfElement > SegmentBits.MAX_BITS;
    if (isFull || !round.take(this)) {
      return false;
    }
    for (var i = 0; i < bitsOfElement; i++) {
      for (var shift = Byte.SIZE * (bytesOfBit - 1); shift >= 0; shift -= Byte.SIZE) {
        entries.write((int) (words[i] >>> shift));
      }
    }
    parts.add(part);
    elements.add(element);
    return true;
  }

  int bitsOfElement() {
    return bitsOfElement;
  }

  /**
   * The bytes that Redis moves before it appends to the segment; it is unknown whether the string
   * has spare room.
   */
  int bytesToMove() {
    return generation.isRaw() || effect == Effect.READ ? 0 : layer.format().bitmapBytes();
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  Bits bits() {
    var bits = entries.toByteArray();
    return generation.isRaw()
        ? new RawBits(generation.raw(), bits, layer.format().kind().maxInsertions())
        : new SegmentBits(
            generation.stored(), segment, layer.format(), bits, BlockWriter.freshMark());
  }

  Effect effect() {
    return effect;
  }

  /** Answers the elements, unless the segment needs a copy or a bitmap had to grow first. */
  void answer(BitsReply reply, HeldSegments held) {
    if (reply instanceof BitsReply.Answers some) {
      for (var i = 0; i < parts.size(); i++) {
        apply(i, some);
      }
    } else if (reply instanceof BitsReply.Changed) {
      parts.forEach(part -> part.request().interrupt());
    } else if (reply instanceof BitsReply.Failed failed) {
      fail(failed.failure());
    } else if (!generation.isRaw()) {
      held.requireCopy(generation, segment);
    }
  }

  private void apply(int i, BitsReply.Answers reply) {
    var part = parts.get(i);
    int element = elements.get(i);
    part.apply(element, reply.answers().get(i));
    if (effect == Effect.REPLICATED) {
      part.request().countReplicas(reply.replicas());
    }
    if (part.answer(element) != null) {
      part.request().countAskedInRedis();
    }
  }

  void fail(RuntimeException failure) {
    parts.forEach(part -> part.request().fail(failure));
  }
}
