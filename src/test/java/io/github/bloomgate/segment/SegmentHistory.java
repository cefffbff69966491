package io.github.bloomgate.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random blocks in the order in which they were appended to a segment. */
final class SegmentHistory {

  static final int K = 5;

  /** Long enough for elements to age within a history, without ending all at once. */
  static final long WINDOW_MILLIS = 40_000;

  enum Kind {
    ACCEPTING,
    REJECTING,
    COUNTING,
    COUNTING_REJECTING,
    BY_TIME,
    REFRESHED,
    BY_INSERTIONS;

    private SegmentFormat.Kind kind() {
      return switch (this) {
        case ACCEPTING -> new SegmentFormat.Fixed(0);
        case REJECTING -> new SegmentFormat.Fixed(200);
        case COUNTING -> new SegmentFormat.Counting(0);
        case COUNTING_REJECTING -> new SegmentFormat.Counting(60);
        case BY_TIME ->
            new SegmentFormat.Windowed(WindowLayout.ofMillis(WINDOW_MILLIS, 4, 300, 1, false));
        case REFRESHED ->
            new SegmentFormat.Windowed(WindowLayout.ofMillis(WINDOW_MILLIS, 4, 300, 1, true));
        case BY_INSERTIONS ->
            new SegmentFormat.Windowed(WindowLayout.ofInsertions(4, 100, 1, false));
      };
    }

    boolean removes() {
      return kind() instanceof SegmentFormat.Counting;
    }

    WindowLayout layout() {
      return ((SegmentFormat.Windowed) kind()).layout();
    }

    SegmentFormat format() {
      var rings = kind() instanceof SegmentFormat.Windowed window ? window.layout().rings() : 8;
      return new SegmentFormat(rings * 160, K, kind());
    }
  }

  private final Random random;
  private final Kind kind;
  private final int positions;
  private final List<int[]> elements = new ArrayList<>();
  private long clock = 1_700_000_000_000L;

  SegmentHistory(Kind kind, Random random) {
    this.kind = kind;
    this.random = random;
    this.positions = SegmentCopy.empty(kind.format()).content().positions();
  }

  /** A new element, or one that was added before. */
  int[] element() {
    if (!elements.isEmpty() && random.nextInt(3) == 0) {
      return elements.get(random.nextInt(elements.size()));
    }
    var element = random.ints(K, 0, positions).toArray();
    elements.add(element);
    return element;
  }

  /** Advances the time of Redis, which sometimes goes back. */
  long tick() {
    clock += random.nextInt(20) == 0 ? -500 : random.nextInt(400);
    return clock;
  }

  /** A block of a few entries as a caller sends it. */
  byte[] block() {
    var block = new BlockWriter(K, Block.MOST_ENTRIES);
    var isRemoval = kind.removes() && random.nextInt(3) == 0;
    for (var left = 1 + random.nextInt(8); left > 0; left--) {
      block.append(isRemoval, element(), 0);
    }
    return block.bytes();
  }

  /** Everything about a copy that the next reader would see. */
  static String stateOf(SegmentCopy copy) {
    return "%d %s".formatted(copy.position(), Arrays.hashCode(copy.fold()));
  }
}
