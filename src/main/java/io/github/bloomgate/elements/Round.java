package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.store.StoredGeneration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One round: segments with the questions for each. */
final class Round {

  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_SEGMENTS = 600;

  private static final int MOST_SEGMENTS_BIT_BY_BIT = 128;

  /** Redis needs about a microsecond for each. */
  private static final int MOST_BITS = 2_048;

  private final HeldSegments held;
  private final RareSegments rare;

  private final Map<BitsKey, BitsCall> bitsCalls = new LinkedHashMap<>();

  /**
   * Segments of a layer of one version of a generation share a group of the call. Another name of
   * the same version has another group, because requests with the old name must fail after a
   * rename.
   */
  private final Map<GroupKey, LayerTurns> groups = new LinkedHashMap<>();

  private final Set<HeldSegment> toRead = new LinkedHashSet<>();
  private int segments;
  private int bytes;
  private int bits;

  private record GroupKey(StoredGeneration generation, int firstSegment) {}

  private record BitsKey(StoredGeneration generation, int segment, Kind kind) {}

  Round(HeldSegments held, RareSegments rare) {
    this.held = held;
    this.rare = rare;
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
    var key = new BitsKey(part.generation().stored(), index, part.request().kind());
    var known = bitsCalls.get(key);
    if (known != null) {
      return Optional.of(known);
    }
    if (bitsCalls.size() == MOST_SEGMENTS_BIT_BY_BIT || !rare.isBitByBit(part, layer, index)) {
      return Optional.empty();
    }
    var begun = new BitsCall(this, part.generation(), layer, index, key.kind);
    bitsCalls.put(key, begun);
    return Optional.of(begun);
  }

  /** Takes room for bits to test or add; without room an element waits for the next round. */
  boolean takeBits(int more) {
    if (bits + more > MOST_BITS) {
      return false;
    }
    bits += more;
    return true;
  }

  /** The bit-by-bit questions of each call; complete when all requests have joined. */
  Collection<List<BitsCall>> bitsCalls() {
    var asked = bitsCalls.values().stream().filter(call -> !call.isEmpty()).toList();
    asked.forEach(call -> rare.count(call.generation(), call.segment()));
    return asked.stream().collect(Collectors.groupingBy(BitsCall::adds)).values();
  }

  /** The turns of a layer, which elements of the same request can look up faster. */
  LayerTurns turns(GenerationView generation, LayerView layer) {
    return groups.computeIfAbsent(
        new GroupKey(generation.stored(), layer.firstSegment()),
        ignored -> new LayerTurns(generation, layer));
  }

  /**
   * A new turn for a segment; empty if it must wait, is used with another version or name of the
   * filter, or the round is full.
   *
   * @param segment its index in the layer
   */
  Optional<Turn> turn(LayerTurns turns, int segment) {
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
      some.setReading(true);
      toRead.add(some);
      return Optional.empty();
    }
    var turn = new Turn(this, some, layer.format().numHashFunctions());
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
   * The call to Redis for segments with copies; empty if there are none. Complete when all requests
   * have joined.
   */
  Optional<RoundCall> call() {
    var asked = groups.values().stream().filter(group -> !group.turns().isEmpty()).toList();
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    asked.forEach(group -> group.turns().forEach(Turn::decide));
    return Optional.of(new RoundCall(asked));
  }

  void end() {
    groups.values().forEach(group -> group.turns().forEach(turn -> turn.held().setTurn(null)));
  }
}
