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
import java.util.concurrent.TimeUnit;

/** Elements of one segment to test or add bit by bit, beside the copies of a round. */
final class BitsCall {

  /** The entry count before the entries of a block. */
  private static final int HEAD_BYTES = 2;

  private static final int TAIL_BYTES = 14;

  private final Round round;
  private final GenerationView generation;
  private final LayerView layer;
  private final int segment;
  private final Kind kind;
  private final byte[] mark = BlockWriter.freshMark();
  private final int entryBytes;
  private final ByteBuffer entries;
  private final List<ElementPart> parts = new ArrayList<>();
  private final List<Integer> elements = new ArrayList<>();
  private long sentAtNanos;

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
  Bits bits(boolean isRepeated) {
    if (!isRepeated) {
      sentAtNanos = System.nanoTime();
    }
    return new Bits(
        generation.stored(),
        segment,
        layer.layout(),
        layer.format().numHashFunctions(),
        Arrays.copyOf(entries.array(), entries.position()),
        adds() ? Optional.of(add(isRepeated)) : Optional.empty());
  }

  private Bits.Add add(boolean isRepeated) {
    var most = layer.format().kind().maxInsertions();
    return new Bits.Add(
        mark,
        most > 0 ? OptionalLong.of(most) : OptionalLong.empty(),
        isRepeated ? OptionalLong.of(age()) : OptionalLong.empty());
  }

  /** The age of the call in milliseconds, rounded up. */
  private long age() {
    return 1 + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sentAtNanos);
  }

  boolean adds() {
    return kind == Kind.ADD;
  }

  /**
   * Answers the elements.
   *
   * @return whether the segment needs a copy, which then answers them
   */
  boolean answer(BitsReply reply, boolean isRepeated) {
    if (reply instanceof BitsReply.Answers some) {
      for (var i = 0; i < parts.size(); i++) {
        apply(i, some.answers().get(i));
      }
    } else if (reply instanceof BitsReply.Repeated some) {
      applyRepeated(some.bytes());
    } else if (reply instanceof BitsReply.Refused refused) {
      if (isRepeated) {
        fail(RoundFailures.unknown());
      }
      return answer(refused.refusal());
    }
    return false;
  }

  private boolean answer(Refusal refusal) {
    switch (refusal) {
      case JOURNALED, LONG -> {
        return true;
      }
      case EMPTY -> {
        if (adds()) {
          return true;
        }
        for (var i = 0; i < parts.size(); i++) {
          apply(i, BitsReply.Answer.NO);
        }
      }
      case CHANGED, GONE -> parts.forEach(part -> part.request().interrupt());
      case UNKNOWN -> fail(RoundFailures.unknown());
      case DAMAGED -> {
        var stored = generation.stored();
        fail(FilterErrors.damaged(stored.name(), stored.segmentKey(segment)));
      }
    }
    return false;
  }

  private void apply(int i, BitsReply.Answer answer) {
    var part = parts.get(i);
    int element = elements.get(i);
    switch (answer) {
      case NEW -> part.setAnswer(element, Answer.CHANGED);
      case MAYBE -> part.setAnswer(element, Answer.KNOWN);
      case REFUSED -> part.refuse(element);
      case NO -> {
        if (part.hasLaterLayer(element)) {
          part.refuse(element);
          return;
        }
        part.setAbsent(element);
      }
    }
    part.request().countAskedInRedis();
  }

  /**
   * The last block contains the new elements, in the order sent. Known and refused ones cannot be
   * distinguished, so the next round asks for them again.
   */
  private void applyRepeated(byte[] bytes) {
    var end = bytes.length - TAIL_BYTES;
    for (var count = parts.size(); count > 0; count--) {
      var begin = end - count * entryBytes;
      if (begin >= HEAD_BYTES && ByteBuffer.wrap(bytes).getShort(begin - HEAD_BYTES) == count) {
        var isNew = new boolean[parts.size()];
        if (matches(bytes, begin, count, isNew)) {
          for (var i = 0; i < isNew.length; i++) {
            if (isNew[i]) {
              apply(i, BitsReply.Answer.NEW);
            }
          }
          return;
        }
      }
    }
    fail(RoundFailures.unknown());
  }

  private boolean matches(byte[] bytes, int begin, int count, boolean[] isNew) {
    var matched = 0;
    for (var i = 0; i < isNew.length && matched < count; i++) {
      var at = begin + matched * entryBytes;
      isNew[i] =
          Arrays.equals(
              bytes, at, at + entryBytes, entries.array(), i * entryBytes, (i + 1) * entryBytes);
      matched += isNew[i] ? 1 : 0;
    }
    return matched == count;
  }

  /** Fails all its requests. */
  void fail(RuntimeException failure) {
    parts.forEach(part -> part.request().fail(failure));
  }
}
