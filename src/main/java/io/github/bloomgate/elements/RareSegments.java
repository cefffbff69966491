package io.github.bloomgate.elements;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.Bits;
import java.time.Duration;

/** Decides which segments are used bit by bit because reading a copy does not pay off. */
final class RareSegments {

  /** Reading a shorter segment always pays off. */
  private static final int SHORT_BYTES = 1 << 16;

  /** Calls per minute without a copy. */
  private static final int RARE = 2;

  private static final int MOST_WATCHED = 10_000;

  private final HeldSegments held;
  private final Cache<HeldSegments.Key, Integer> uses =
      Caffeine.newBuilder()
          .maximumSize(MOST_WATCHED)
          .expireAfterWrite(Duration.ofMinutes(1))
          .build();

  RareSegments(HeldSegments held) {
    this.held = held;
  }

  /**
   * Whether a request that asks no replicas should use a segment without a copy bit by bit.
   *
   * @param segment its index among the segments of all layers
   */
  boolean isBitByBit(ElementPart part, LayerView layer, int segment) {
    var request = part.request();
    if (!(layer.format().kind() instanceof SegmentFormat.Fixed)
        || request.kind() == Kind.REMOVE
        || request.kind() == Kind.COUNT
        || !part.generation().written().contains(segment)) {
      return false;
    }
    var bits = (long) layer.places().numHashFunctions() * part.count();
    var known = uses.asMap().getOrDefault(HeldSegments.Key.of(part.generation(), segment), 0);
    var isRare =
        known < RARE
            && layer.format().bitmapBytes() > SHORT_BYTES
            && bits / layer.places().segments() <= Bits.MAX_BITS / 2;
    return isRare || (known <= RARE && !held.hasRoom(layer));
  }

  void count(GenerationView generation, int segment) {
    uses.asMap()
        .compute(
            HeldSegments.Key.of(generation, segment),
            (key, known) -> known == null ? 1 : Math.max(known, Math.min(RARE, known + 1)));
  }

  /** Requires a copy of a segment for the next minute. */
  void requireCopy(GenerationView generation, int segment) {
    uses.put(HeldSegments.Key.of(generation, segment), RARE + 1);
  }
}
