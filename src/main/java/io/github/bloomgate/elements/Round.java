package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.store.StoredContent.Raw;
import io.github.bloomgate.store.StoredGeneration;
import java.time.Duration;
import java.util.ArrayList;
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

  private final RoundRoom room = new RoundRoom();

  private final RoundFindings findings = new RoundFindings();

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

  RoundRoom room() {
    return room;
  }

  /** The segments to read first; complete when all requests have joined. */
  Set<HeldSegment> toRead() {
    return toRead;
  }

  /**
   * The calls about segments with copies; none if there are no such segments. Those of generations
   * with several layers share the first, because an answer from a later layer depends on the reply
   * about the earlier ones. Complete when all requests have joined.
   */
  List<SegmentCall> segmentCalls() {
    var first = new SegmentCall(findings);
    var calls = new ArrayList<>(List.of(first));
    var last = first;
    for (var group : groups.values()) {
      if (group.isOfLayers()) {
        first.add(group);
        continue;
      }
      for (var part : group.divide()) {
        if (!last.hasRoom(part)) {
          last = new SegmentCall(findings);
          calls.add(last);
        }
        last.add(part);
      }
    }
    return first.isEmpty() ? List.of() : calls;
  }

  RoundFindings findings() {
    return findings;
  }

  void end() {
    groups.values().forEach(group -> group.turns().forEach(turn -> turn.held().endAsking()));
  }
}
