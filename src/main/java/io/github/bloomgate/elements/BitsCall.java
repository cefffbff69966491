package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.segment.Answer;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.store.Bits;
import io.github.bloomgate.store.BitsReply;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Elements of one segment that a round tests or adds bit by bit, without a copy. */
final class BitsCall {

  private static final int BYTES_OF_BIT = 3;

  private final Round round;
  private final Filter generation;
  private final LayerView layer;
  private final int segment;
  private final Kind kind;
  private final int bitsOfElement;
  private final ByteArrayOutputStream entries = new ByteArrayOutputStream();
  private final List<ElementPart> parts = new ArrayList<>();
  private final List<Integer> elements = new ArrayList<>();

  BitsCall(Round round, Filter generation, LayerView layer, int segment, Kind kind) {
    this.round = round;
    this.generation = generation;
    this.layer = layer;
    this.segment = segment;
    this.kind = kind;
    this.bitsOfElement = layer.format().numHashFunctions();
  }

  Filter generation() {
    return generation;
  }

  int segment() {
    return segment;
  }

  /** Adds an element; without room it waits for the next round. */
  void ask(ElementPart part, int element, long[] words) {
    if (entries.size() / BYTES_OF_BIT + bitsOfElement > Bits.MAX_BITS || !round.take(this)) {
      return;
    }
    for (var i = 0; i < bitsOfElement; i++) {
      for (var shift = 16; shift >= 0; shift -= Byte.SIZE) {
        entries.write((int) (words[i] >>> shift));
      }
    }
    parts.add(part);
    elements.add(element);
  }

  int bitsOfElement() {
    return bitsOfElement;
  }

  /**
   * The bytes that Redis moves before it appends to the segment; it is unknown whether the string
   * has spare room.
   */
  int bytesToMove() {
    return adds() ? layer.format().bitmapBytes() : 0;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The question to send. */
  Bits bits() {
    return new Bits(
        generation.stored(),
        segment,
        layer.format(),
        entries.toByteArray(),
        adds() ? Optional.of(BlockWriter.freshMark()) : Optional.empty());
  }

  boolean adds() {
    return kind == Kind.ADD;
  }

  /**
   * Answers the elements, unless the segment needs a copy, which answers them in the next round.
   */
  void answer(BitsReply reply, HeldSegments held) {
    if (reply instanceof BitsReply.Answers some) {
      for (var i = 0; i < parts.size(); i++) {
        apply(i, some.answers().get(i));
      }
    } else if (reply instanceof BitsReply.Changed) {
      parts.forEach(part -> part.request().interrupt());
    } else if (reply instanceof BitsReply.Failed failed) {
      fail(failed.failure());
    } else {
      held.requireCopy(generation, segment);
    }
  }

  private void apply(int i, Answer answer) {
    var part = parts.get(i);
    int element = elements.get(i);
    part.apply(element, answer);
    if (part.answer(element) != null) {
      part.request().countAskedInRedis();
    }
  }

  /** Fails all its requests. */
  void fail(RuntimeException failure) {
    parts.forEach(part -> part.request().fail(failure));
  }
}
