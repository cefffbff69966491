package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.store.SegmentGroup;
import io.github.bloomgate.store.SegmentReply;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StoredContent.Raw;
import io.github.bloomgate.store.StoredGeneration;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One round: the segments to ask, the elements for each, and the answers that follow. */
final class Round {

  /** The segments of watched filters that are read at once, up to 2 MiB each. */
  private static final int MOST_READS = 8;

  /**
   * The bytes of segments being read beyond which requests begin no more reads. Everything else on
   * the connection waits behind them.
   */
  private static final long MOST_READING = 1L << 24;

  private final HeldSegments held;

  /** The bytes of segments being read for the lane. */
  private long reading;

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

  private final RoundRoom room = new RoundRoom();

  /** Before its calls. */
  private final Moment begun = Moment.now();

  /** The generations that have another version; known after the reply. */
  private final Set<StoredGeneration> changed = new HashSet<>();

  /** The errors of generations with a missing or malformed segment; known after the reply. */
  private final Map<StoredGeneration, BloomException> damaged = new HashMap<>();

  /** Why there was no reply about segments with copies. */
  private Optional<RuntimeException> failure = Optional.empty();

  private record GroupKey(StoredGeneration generation, int firstSegment) {}

  private record BitsKey(StoredGeneration generation, int segment, Effect effect) {}

  /**
   * @param reading the bytes of segments being read for the same lane
   */
  Round(HeldSegments held, long reading) {
    this.held = held;
    this.reading = reading;
  }

  /**
   * The bit-by-bit questions for a segment; empty if it uses a copy.
   *
   * @param segment its index in the layer
   */
  Optional<BitsCall> bits(ElementPart part, Layer layer, int segment) {
    var index = layer.firstSegment() + segment;
    // Replicas are asked about copies.
    if (part.request().isReplicated() || held.isHeld(part.generation(), index)) {
      return Optional.empty();
    }
    var generation = part.generation();
    return bitsCalls.containsKey(key(part, index))
            || held.isBitByBit(generation, part.count(), layer, index)
        ? Optional.of(
            bitsCalls.computeIfAbsent(
                key(part, index),
                key -> new SegmentBitsCall(room, held, generation, layer, index, key.effect)))
        : Optional.empty();
  }

  /** The questions for raw content. */
  BitsCall bits(ElementPart part, Raw raw) {
    var layer = part.generation().layers().get(0);
    return bitsCalls.computeIfAbsent(
        key(part, 0), key -> new RawBitsCall(room, raw, layer, key.effect));
  }

  private static BitsKey key(ElementPart part, int index) {
    return new BitsKey(part.generation().stored(), index, part.request().effect());
  }

  /** The bit-by-bit questions of each call; complete when all requests have joined. */
  Map<Effect, List<BitsCall>> bitsCalls() {
    return bitsCalls.values().stream()
        .filter(call -> !call.isEmpty())
        .collect(
            Collectors.groupingBy(
                BitsCall::effect, () -> new EnumMap<>(Effect.class), Collectors.toList()));
  }

  /** The turns of a layer, which elements of the same request can look up faster. */
  LayerTurns turns(Generation generation, Layer layer) {
    return groups.computeIfAbsent(
        new GroupKey(generation.stored(), layer.firstSegment()),
        ignored -> new LayerTurns(generation, layer));
  }

  /**
   * A new turn for a segment; empty if it must wait, is used with another version or name of the
   * filter, or the round is full. Reads a missing copy, if not too many others are being read.
   *
   * @param segment its index in the layer
   * @param pending the elements of the request that first needs the segment
   */
  Optional<Turn> turn(LayerTurns turns, int segment, int pending) {
    var generation = turns.generation();
    var layer = turns.layer();
    var index = layer.firstSegment() + segment;
    if (reading >= MOST_READING && held.isToBeRead(generation, index)) {
      return Optional.empty();
    }
    var found = held.of(generation, layer, index);
    return found.isEmpty() ? Optional.empty() : turn(turns, found.get(), pending);
  }

  private Optional<Turn> turn(LayerTurns turns, HeldSegment some, int pending) {
    var generation = turns.generation();
    var layer = turns.layer();
    if (some.isAsked() || some.mustWait() || !room.isLeft()) {
      return Optional.empty();
    }
    some.setGeneration(generation);
    some.throwFailure();
    if (some.mustRead()) {
      some.beginReading();
      toRead.add(some);
      reading += some.bitmapBytes();
      return Optional.empty();
    }
    var k = layer.format().numHashFunctions();
    var expected =
        Math.min(pending, room.elements(k))
            / layer.places().segments()
            / generation.layers().size();
    var turn = new Turn(room, some, k, expected);
    some.beginAsking();
    room.takeSegment();
    turns.add(some.index() - layer.firstSegment(), turn);
    return Optional.of(turn);
  }

  /**
   * Asks for what the copy of a segment of a watched filter lacks, unless it must wait. Reads a
   * missing copy, if not too many others are being read.
   *
   * @param index its index among the segments of all layers
   * @param young asks nothing if the copy is younger
   */
  void refresh(Generation generation, int index, Duration young) {
    if (toRead.size() >= MOST_READS && held.isToBeRead(generation, index)) {
      return;
    }
    var layer = generation.layer(index);
    var found = held.of(generation, layer, index);
    if (found.isEmpty()) {
      return;
    }
    var some = found.get();
    some.freshness().watch();
    var asOf = some.asOf(generation.stored());
    if (asOf.isEmpty() || asOf.get().sent().isOlderThan(young)) {
      turn(turns(generation, layer), some, 0);
    }
  }

  /** Whether a reply said that the generation has another version. */
  boolean isChanged(StoredGeneration generation) {
    return changed.contains(generation);
  }

  /** Why there was no reply about a generation, or one of its segments is missing or malformed. */
  Optional<RuntimeException> failure(StoredGeneration generation) {
    return failure.or(() -> Optional.ofNullable(damaged.get(generation)));
  }

  RoundRoom room() {
    return room;
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
              () -> {
                changed.add(group.generation().stored());
                interrupt(group, isRepeated);
              });
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
        var its = reply.next();
        answer(turn, its, millis, isRepeated);
        note(turn.held(), its, millis);
      } catch (IllegalArgumentException damage) {
        turn.held().requireRead();
        turn.fail(turn.held().damaged());
        damaged.put(group.generation().stored(), turn.held().damaged());
      }
    }
  }

  private void note(HeldSegment some, SegmentReply reply, long millis) {
    if (reply instanceof SegmentReply.Followed
        || reply instanceof SegmentReply.Repeated
        || reply instanceof SegmentReply.TooLong
        || reply instanceof SegmentReply.Postponed) {
      some.setAsOf(new AsOf(begun, millis));
    } else if (reply instanceof SegmentReply.Damaged) {
      some.freshness().doubt();
      damaged.put(some.generation().stored(), some.damaged());
    } else if (reply instanceof SegmentReply.WrongType) {
      some.freshness().doubt();
      damaged.put(some.generation().stored(), some.generation().stored().wrongType(some.index()));
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
    } else if (reply instanceof SegmentReply.Postponed postponed) {
      turn.followUnsent(postponed.blocks(), millis);
      if (isRepeated) {
        // The call whose reply was lost may still arrive.
        turn.failChanges(RoundFailures.unknown());
      }
    } else if (reply instanceof SegmentReply.Full) {
      turn.failChanges(StoreErrors.full());
    } else if (reply instanceof SegmentReply.Damaged) {
      turn.fail(turn.held().damaged());
    } else if (reply instanceof SegmentReply.WrongType) {
      turn.fail(turn.held().generation().stored().wrongType(turn.held().index()));
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
    var failure = turn.held().fold().takeFailure();
    if (failure == null) {
      turn.held().fold().require();
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
    failure = Optional.of(ofReads);
    asked.forEach(group -> group.turns().forEach(turn -> turn.fail(ofChanges, ofReads)));
  }

  /** Makes all copies be read again, because one may have applied a part of a block. */
  void distrust() {
    asked.forEach(group -> group.turns().forEach(turn -> turn.held().requireRead()));
  }

  void end() {
    groups.values().forEach(group -> group.turns().forEach(turn -> turn.held().endAsking()));
  }
}
