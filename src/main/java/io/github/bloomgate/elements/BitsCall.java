package io.github.bloomgate.elements;

import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.store.Bits;
import io.github.bloomgate.store.BitsReply;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Elements that a round tests or adds bit by bit, in one string of bits. */
abstract sealed class BitsCall permits SegmentBitsCall, RawBitsCall {

  private final RoundRoom room;
  private final Effect effect;
  private final int bitsOfElement;
  private final int bytesOfBit;
  private final ByteArrayOutputStream entries = new ByteArrayOutputStream();
  private final List<ElementPart> parts = new ArrayList<>();
  private final List<Integer> elements = new ArrayList<>();

  /**
   * @param bytesOfBit the bytes of the offset of a bit
   */
  BitsCall(RoundRoom room, Effect effect, int bitsOfElement, int bytesOfBit) {
    this.room = room;
    this.effect = effect;
    this.bitsOfElement = bitsOfElement;
    this.bytesOfBit = bytesOfBit;
  }

  /** Adds an element; false without room, so that it waits for the next round. */
  boolean ask(ElementPart part, int element, long[] words) {
    if (!room.takeBits(bitsOfElement, isEmpty())) {
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

  boolean isEmpty() {
    return parts.isEmpty();
  }

  abstract Bits bits();

  /** The offsets of the bits of all elements. */
  byte[] entries() {
    return entries.toByteArray();
  }

  Effect effect() {
    return effect;
  }

  /** Answers the elements, unless they must be asked again. */
  void answer(BitsReply reply) {
    if (reply instanceof BitsReply.Verdicts some) {
      for (var i = 0; i < parts.size(); i++) {
        apply(i, some);
      }
    } else if (reply instanceof BitsReply.Outdated) {
      parts.forEach(part -> part.request().interrupt());
    } else if (reply instanceof BitsReply.Failed failed) {
      fail(failed.failure());
    }
  }

  private void apply(int i, BitsReply.Verdicts reply) {
    var part = parts.get(i);
    int element = elements.get(i);
    part.apply(element, reply.verdicts().get(i));
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
