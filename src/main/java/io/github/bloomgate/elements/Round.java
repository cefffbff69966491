package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.store.Bits;
import io.github.bloomgate.store.SegmentGroup;
import io.github.bloomgate.store.SegmentReply;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StoredGeneration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One round: the segments to ask, the elements for each, and the answers that follow. */
final class Round {

  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_SEGMENTS = 600;

  private static final int MOST_SEGMENTS_BIT_BY_BIT = 128;

  /** Redis needs up to a millisecond to move a segment of 2 MiB. */
  private static final int MOST_MOVED_BYTES = 8 << 21;

  private final HeldSegments held;

  private final Map<BitsKey, BitsCall> bitsCalls = new LinkedHashMap<>();

  /**
   * Segments of a layer of one version of a generation share a group of the call. Another name of
   * the same version has another group, because requests with the old name must fail after a
   * rename.
   */
  private final Map<GroupKey, LayerTurns> groups = new LinkedHashMap<>();

  private final Set<HeldSegment> toRead = new LinkedHashSet<>();
  private final Set<HeldSegment> toFold = new LinkedHashSet<>();

  /** The groups of the call, in its order. */
  private List<LayerTurns> asked = List.of();

  private int segments;
  private int bytes;
  private int bits;
  private int bitSegments;
  private int movedBytes;

  private record GroupKey(StoredGeneration generation, int firstSegment) {}

  private record BitsKey(StoredGeneration generation, int segment, Effect effect) {}

  Round(HeldSegments held) {
    this.held = held;
  }

  /**
   * The bit-by-bit questions for a segment; empty if it uses a copy.
   *
   * @param segment its index in the layer
   */
  Optional<BitsCall> bits(ElementPart part, LayerView layer, int segment) {
    var index = layer.firstSegment() + segment;
    // Replicas are asked about copies.
    if (part.request().isReplicated() || held.isHeld(part.generation(), index)) {
      return Optional.empty();
    }
    return bitsCalls.containsKey(key(part, index)) || held.isBitByBit(part, layer, index)
        ? Optional.of(bitsCall(part, layer, index))
        : Optional.empty();
  }

  BitsCall rawBits(ElementPart part) {
    return bitsCall(part, part.generation().layers().get(0), 0);
  }

  private BitsCall bitsCall(ElementPart part, LayerView layer, int index) {
    return bitsCalls.computeIfAbsent(
        key(part, index), key -> new BitsCall(this, part.generation(), layer, index, key.effect));
  }

  private static BitsKey key(ElementPart part, int index) {
    return new BitsKey(part.generation().stored(), index, part.request().effect());
  }

  /** Takes room for an element of a segment; without room it waits for the next round. */
  boolean take(BitsCall call) {
    var isFirst = call.isEmpty();
    if (bits + call.bitsOfElement() > Bits.MAX_PER_CALL
        || (isFirst && bitSegments == MOST_SEGMENTS_BIT_BY_BIT)
        || (isFirst && !takeMove(call.bytesToMove()))) {
      return false;
    }
    bits += call.bitsOfElement();
    bitSegments += isFirst ? 1 : 0;
    return true;
  }

  /** Takes room for a segment that Redis must move; without room its elements wait, too. */
  boolean takeMove(int bytes) {
    if (movedBytes + bytes > MOST_MOVED_BYTES) {
      return false;
    }
    movedBytes += bytes;
    return true;
  }

  /** The bit-by-bit questions of each call; complete when all requests have joined. */
  Map<Effect, List<BitsCall>> bitsCalls() {
    var asked = bitsCalls.values().stream().filter(call -> !call.isEmpty()).toList();
    asked.stream()
        .filter(call -> !call.generation().isRaw())
        .forEach(call -> held.countUse(call.generation(), call.segment()));
    return asked.stream()
        .collect(
            Collectors.groupingBy(
                BitsCall::effect, () -> new EnumMap<>(Effect.class), Collectors.toList()));
  }

  /** The turns of a layer, which elements of the same request can look up faster. */
  LayerTurns turns(Filter generation, LayerView layer) {
    return groups.computeIfAbsent(
        new GroupKey(generation.stored(), layer.firstSegment()),
        ignored -> new LayerTurns(generation, layer));
  }

  /**
   * A new turn for a segment; empty if it must wait, is used with another version or name of the
   * filter, or the round is full.
   *
   * @param segment its index in the layer
   * @param pending the elements of the request that first needs the segment
   */
  Optional<Turn> turn(LayerTurns turns, int segment, int pending) {
    var generation = turns.generation();
    var layer = turns.layer();
    var found = held.of(generation, layer, layer.firstSegment() + segment);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    var some = found.get();
    if (some.turn() != null || some.mustWait() || !hasRoom()) {
      return Optional.empty();
    }
    some.setGeneration(generation);
    some.throwFailure();
    if (some.mustRead()) {
      some.beginReading();
      toRead.add(some);
      return Optional.empty();
    }
    var k = layer.format().numHashFunctions();
    var room = Math.min(pending, MOST_BYTES / BlockWriter.entryBytes(k));
    var turn = new Turn(this, some, k, room / layer.places().segments());
    some.setTurn(turn);
    segments++;
    turns.add(segment, turn);
    return Optional.of(turn);
  }

  boolean hasRoom() {
    return segments < MOST_SEGMENTS && bytes < MOST_BYTES;
  }

  void countBytes(int more) {
    bytes += more;
  }

  /** The segments to read first; complete when all requests have joined. */
  Set<HeldSegment> toRead() {
    return toRead;
  }

  /**
   * The questions about segments with copies, which make one call; none if there are no such
   * segments. Complete when all requests have joined.
   */
  List<SegmentGroup> questions() {
    asked = groups.values().stream().filter(group -> !group.turns().isEmpty()).toList();
    asked.forEach(group -> group.turns().forEach(Turn::decide));
    return asked.stream()
        .map(
            group ->
                new SegmentGroup(
                    group.generation().stored(),
                    group.layer().format(),
                    group.turns().stream().map(Turn::question).toList()))
        .toList();
  }

  /** The segments with long journals; known after the reply. */
  Set<HeldSegment> toFold() {
    return toFold;
  }

  /**
   * Applies the reply to the copies, and answers the elements that these decide.
   *
   * @param isRepeated whether the reply to the same call was lost before
   */
  void answer(SegmentStore.Advance answer, boolean isRepeated) {
    for (var i = 0; i < asked.size(); i++) {
      var group = asked.get(i);
      answer.groups().get(i).ifPresent(replies -> doubt(group, replies));
    }
    for (var i = 0; i < asked.size(); i++) {
      var group = asked.get(i);
      answer
          .groups()
          .get(i)
          .ifPresentOrElse(
              replies -> answer(group, replies, answer.millis(), isRepeated),
              () -> interrupt(group, isRepeated));
    }
  }

  private static void doubt(LayerTurns group, List<SegmentReply> replies) {
    for (var i = 0; i < replies.size(); i++) {
      if (!(replies.get(i) instanceof SegmentReply.Followed)) {
        group.turns().get(i).markUnconfirmed();
      }
    }
  }

  private static void interrupt(LayerTurns group, boolean isRepeated) {
    for (var turn : group.turns()) {
      if (isRepeated) {
        turn.failChanges(RoundFailures.unknown());
      }
      turn.interrupt();
    }
  }

  private void answer(
      LayerTurns group, List<SegmentReply> replies, long millis, boolean isRepeated) {
    var reply = replies.iterator();
    for (var turn : group.turns()) {
      try {
        answer(turn, reply.next(), millis, isRepeated);
      } catch (IllegalArgumentException damage) {
        turn.held().requireRead();
        turn.fail(turn.held().damaged());
      }
    }
  }

  private void answer(Turn turn, SegmentReply reply, long millis, boolean isRepeated) {
    if (reply instanceof SegmentReply.Followed followed) {
      turn.follow(followed.blocks(), millis);
    } else if (reply instanceof SegmentReply.Repeated repeated) {
      turn.followRepeated(repeated.blocks(), millis);
    } else if (reply instanceof SegmentReply.TooLong tooLong) {
      turn.followUnsent(tooLong.blocks(), millis);
      foldOrFail(turn);
    } else if (reply instanceof SegmentReply.Full) {
      turn.failChanges(StoreErrors.full());
    } else if (reply instanceof SegmentReply.Damaged) {
      turn.fail(turn.held().damaged());
    } else {
      if (reply instanceof SegmentReply.Reread) {
        turn.held().requireRead();
      }
      if (isRepeated) {
        // Redis may no longer keep the block of the call whose reply was lost.
        turn.failChanges(RoundFailures.unknown());
      }
    }
    if (turn.held().copy().isLong()) {
      toFold.add(turn.held());
    }
  }

  private void foldOrFail(Turn turn) {
    var failure = turn.held().takeFoldFailure();
    if (failure == null) {
      turn.held().requireFold();
      toFold.add(turn.held());
    } else {
      turn.failChanges(failure);
    }
  }

  /**
   * Fails all requests.
   *
   * @param ofChanges the failure for requests with elements to append
   */
  void fail(RuntimeException ofChanges, RuntimeException ofReads) {
    asked.forEach(group -> group.turns().forEach(turn -> turn.fail(ofChanges, ofReads)));
  }

  void end() {
    groups.values().forEach(group -> group.turns().forEach(turn -> turn.held().setTurn(null)));
  }
}
