package io.github.bloomgate.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.WhenFull;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which copies are held where there is not room for all. */
class SegmentCopiesTest {

  private static final long MEBIBYTE = 1 << 20;
  private static final int MANY = 1_000_000;

  private static final SimpleMeterRegistry METRICS = new SimpleMeterRegistry();

  private final MemoryBudget memory = new MemoryBudget(MEBIBYTE, 4 * MEBIBYTE, METRICS);
  private final SegmentCopies copies = new SegmentCopies(true, memory, METRICS);

  @Test
  void aFilterThatDoesNotFitAsAWholeIsNotCopied() {
    assertTrue(copies.takes(filter(4 * MEBIBYTE)));
    assertFalse(copies.takes(filter(4 * MEBIBYTE + 8)));
    assertFalse(new SegmentCopies(false, memory, METRICS).takes(filter(8)));
  }

  /** Or each would be read again and again. */
  @Test
  void fullCopiesAreNotDrivenOutByEveryOtherSegment() {
    for (var i = 0; i < 4; i++) {
      var filter = filter(MEBIBYTE);
      assertTrue(copies.missed(key(filter), MANY));
      hold(filter);
    }
    var start = System.nanoTime();
    var others = IntStream.range(0, 1_000).mapToObj(i -> filter(MEBIBYTE)).toList();
    var read = others.stream().filter(other -> copies.missed(key(other), MANY)).count();
    var halfSeconds = (System.nanoTime() - start) / 500_000_000;
    assertTrue(read <= 1 + halfSeconds, read + " of 1000 in " + halfSeconds + " half seconds");
  }

  @Test
  void thatUsedLeastGivesWay() {
    var first = filter(MEBIBYTE);
    assertTrue(hold(first));
    for (var i = 0; i < 3; i++) {
      assertTrue(hold(filter(MEBIBYTE)));
    }
    assertEquals(4 * MEBIBYTE, memory.taken(MemoryBudget.Use.COPIES));
    var dropped = new ArrayList<SegmentKey>();
    copies.onDropped((key, copy) -> dropped.add(key));
    assertTrue(hold(filter(MEBIBYTE)));
    assertEquals(4 * MEBIBYTE, memory.taken(MemoryBudget.Use.COPIES));
    assertEquals(List.of(key(first)), dropped);
  }

  private boolean hold(Filter filter) {
    var shape = filter.shape();
    var empty = new byte[(int) shape.segmentBytes()];
    return copies.put(
        key(filter), new SegmentCopy(shape, 0, empty, 0, 0, "", new SegmentCounts(0, 0)));
  }

  private static SegmentKey key(Filter filter) {
    return new SegmentKey(filter, 0);
  }

  private static Filter filter(long bytes) {
    return Filter.create(
        new FilterName("n" + UUID.randomUUID()),
        FilterParameters.forShape(HashSchemes.nativeScheme(), bytes * 8, 7, WhenFull.ACCEPT),
        Instant.EPOCH,
        Optional.empty());
  }
}
