package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementPart.Answer;
import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.store.Bits;
import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.BitsReply.Refusal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Elements of one segment that a round tests or adds bit by bit, without a copy. */
final class BitsCall {

  private final Round round;
  private final GenerationView generation;
  private final LayerView layer;
  private final int segment;
  private final Kind kind;
  private final int entryBytes;
  private final ByteBuffer entries;
  private final List<ElementPart> parts = new ArrayList<>();
  private final List<Integer> elements = new ArrayList<>();

  BitsCall(Round round, GenerationView generation, LayerView layer, int segment, Kind kind) {
    this.round = round;
    this.generation = generation;
    this.layer = layer;
    this.segment = segment;
    this.kind = kind;
    this.entryBytes = 3 * layer.format().numHashFunctions();
    this.entries = ByteBuffer.allocate(3 * Bits.MAX_BITS);
  }

  GenerationView generation() {
    return generation;
  }

  int segment() {
    return segment;
  }

  /** Adds an element; without room it waits for the next round. */
  void ask(ElementPart part, int element, long[] words) {
    if (entries.remaining() < entryBytes || !round.takeBits(entryBytes / 3)) {
      return;
    }
    for (var i = 0; i < entryBytes / 3; i++) {
      entries.put((byte) (words[i] >>> 16)).putShort((short) words[i]);
    }
    parts.add(part);
    elements.add(element);
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The question to send. */
  Bits bits() {
    return new Bits(
        generation.stored(),
        segment,
        layer.layout(),
        layer.format().numHashFunctions(),
        Arrays.copyOf(entries.array(), entries.position()),
        adds() ? Optional.of(add()) : Optional.empty());
  }

  private Bits.Add add() {
    var most = layer.format().kind().maxInsertions();
    return new Bits.Add(
        BlockWriter.freshMark(), most > 0 ? OptionalLong.of(most) : OptionalLong.empty());
  }

  boolean adds() {
    return kind == Kind.ADD;
  }

  /**
   * Answers the elements.
   *
   * @return whether the segment needs a copy, which then answers them
   */
  boolean answer(BitsReply reply) {
    if (reply instanceof BitsReply.Answers some) {
      for (var i = 0; i < parts.size(); i++) {
        apply(i, some.answers().get(i));
      }
      return false;
    }
    var refusal = ((BitsReply.Refused) reply).refusal();
    switch (refusal) {
      case JOURNALED -> {
        // The copy answers in the next round.
      }
      case CHANGED -> parts.forEach(part -> part.request().interrupt());
      case DAMAGED -> {
        var stored = generation.stored();
        fail(FilterErrors.damaged(stored.name(), stored.segmentKey(segment)));
      }
    }
    return refusal == Refusal.JOURNALED;
  }

  private void apply(int i, BitsReply.Answer answer) {
    var part = parts.get(i);
    int element = elements.get(i);
    part.apply(element, answer);
    if (part.answer(element) != Answer.PENDING) {
      part.request().countAskedInRedis();
    }
  }

  /** Fails all its requests. */
  void fail(RuntimeException failure) {
    parts.forEach(part -> part.request().fail(failure));
  }
}
