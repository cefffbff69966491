package io.github.bloomgate.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.segment.SegmentHistory.Kind;
import io.github.bloomgate.support.Seeded;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the content of segments with simple models. */
class SegmentContentTest extends Seeded {

  private static final int STEPS = 2_000;

  private static SegmentContent empty(Kind kind) {
    return SegmentCopy.empty(kind.format()).content();
  }

  @ParameterizedTest
  @EnumSource(names = {"ACCEPTING", "REJECTING"})
  void aFixedSegmentIsASetOfBits(Kind kind) {
    var content = empty(kind);
    var limit = kind == Kind.REJECTING ? 200 : Integer.MAX_VALUE;
    var history = new SegmentHistory(kind, random);
    var model = new BitSet();
    var insertions = 0;
    for (var i = 0; i < STEPS; i++) {
      var element = history.element();
      var isKnown = Arrays.stream(element).allMatch(model::get);
      assertEquals(isKnown, content.contains(element, 0));
      assertEquals(isKnown, content.addIsNoOp(element, 0));
      var expected =
          isKnown ? Verdict.KNOWN : insertions < limit ? Verdict.CHANGED : Verdict.REFUSED;
      assertEquals(expected, content.add(element, 0, i));
      if (expected == Verdict.CHANGED) {
        Arrays.stream(element).forEach(model::set);
        insertions++;
      }
      assertEquals(model.cardinality(), content.bitsSet());
      assertEquals(insertions, content.insertions());
      assertEquals(insertions >= limit, content.isFull());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COUNTING", "COUNTING_REJECTING"})
  void aCountingSegmentIsAnArrayOfCounters(Kind kind) {
    var content = (CountingContent) empty(kind);
    var limit = kind == Kind.COUNTING_REJECTING ? 60 : Integer.MAX_VALUE;
    var history = new SegmentHistory(kind, random);
    var model = new int[content.positions()];
    var insertions = 0;
    for (var i = 0; i < STEPS; i++) {
      // Elements of few counters, so that these become full.
      var element =
          random.nextBoolean()
              ? history.element()
              : random.ints(SegmentHistory.K, 0, 2 * SegmentHistory.K).toArray();
      var distinct = Arrays.stream(element).distinct().toArray();
      var least = Arrays.stream(element).map(p -> model[p]).min().orElseThrow();
      assertEquals(least, content.count(element, 0));
      assertEquals(least > 0, content.contains(element, 0));
      assertEquals(least == 15, content.addIsNoOp(element, 0));
      var by = 0;
      if (random.nextInt(3) == 0) {
        assertEquals(least > 0, content.remove(element, 0));
        by = least == 0 ? 0 : -1;
      } else {
        var expected =
            least == 15
                ? Verdict.KNOWN
                : insertions >= limit
                    ? Verdict.REFUSED
                    : least == 0 ? Verdict.CHANGED : Verdict.KNOWN;
        assertEquals(expected, content.add(element, 0, i));
        by = least == 15 || expected == Verdict.REFUSED ? 0 : 1;
      }
      var step = by;
      var moves = Arrays.stream(distinct).anyMatch(p -> model[p] < 15);
      Arrays.stream(distinct).filter(p -> model[p] < 15).forEach(p -> model[p] += step);
      insertions = Math.max(0, insertions + (moves ? by : 0));
      assertEquals(insertions, content.insertions());
      var header = ByteBuffer.wrap(content.kindHeader());
      assertEquals(Arrays.stream(model).filter(c -> c > 0).count(), header.getLong(0));
      assertEquals(Arrays.stream(model).filter(c -> c == 15).count(), header.getLong(8));
    }
    var full = ByteBuffer.wrap(content.kindHeader()).getLong(8);
    assertTrue(full > 0 || kind == Kind.COUNTING_REJECTING, "seed " + seed);
    assertArrayEquals(content.kindHeader(), CountingContent.header(content.bits));
  }

  @Test
  void removalsOfOtherElementsDoNotGoBelowZero() {
    var content = empty(Kind.COUNTING);
    var element = new int[] {0, 1, 2, 3, 4};
    content.add(element, 0, 1);
    content.add(element, 0, 2);
    for (var position = 0; position < SegmentHistory.K; position++) {
      var other = new int[SegmentHistory.K];
      Arrays.fill(other, position);
      assertTrue(content.remove(other, 0));
      assertEquals(Math.max(0, 1 - position), content.insertions());
    }
  }

  /** Includes more elements than the capacity of the window, and a clock that goes back. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 40})
  void aWindowByTimeExpiresNoElementEarly(int entriesAtOnce) {
    for (var kind : List.of(Kind.BY_TIME, Kind.REFRESHED)) {
      var content = (WindowContent) empty(kind);
      var history = new SegmentHistory(kind, random);
      var written = new HashMap<List<Integer>, Long>();
      var newest = 0L;
      for (var i = 0; i < STEPS; i++) {
        var stamp = i % entriesAtOnce == 0 ? history.tick() : newest;
        newest = Math.max(newest, stamp);
        var element = history.element();
        var key = Arrays.stream(element).boxed().toList();
        var added = content.add(element, 0, stamp);
        if (added == Verdict.CHANGED || kind == Kind.REFRESHED) {
          written.put(key, newest);
        }
        if (i % 50 == 0) {
          assertRemembered(content, written, newest);
        }
      }
    }
  }

  private void assertRemembered(WindowContent content, Map<List<Integer>, Long> written, long now) {
    // An element in the newest ring is not written again. Refresh is accurate to a slice.
    written.forEach(
        (element, at) -> {
          if (now < at + SegmentHistory.WINDOW_MILLIS) {
            var positions = element.stream().mapToInt(Integer::intValue).toArray();
            assertTrue(
                content.contains(positions, 0), () -> (now - at) + " ms after it, seed " + seed);
          }
        });
  }

  /** The last ring ends by time before any other ring can be reused. */
  @Test
  void anElementBeyondTheWindowsCapacityIsRememberedForAWindow() {
    var layout = Kind.BY_TIME.layout();
    var content = (WindowContent) empty(Kind.BY_TIME);
    var history = new SegmentHistory(Kind.BY_TIME, random);
    for (var i = 0; i < (layout.rings() - 1) * layout.ringInsertions() + 1; i++) {
      content.add(random.ints(SegmentHistory.K, 0, content.positions()).toArray(), 0, 1_000_000);
    }
    var late = history.element();
    var at = 1_000_000 + layout.windowMillis() - 1;
    assertEquals(Verdict.CHANGED, content.add(late, 0, at));
    content.advanceTo(at + layout.windowMillis() - 1);
    assertTrue(content.contains(late, 0), "seed " + seed);
  }

  /** After a failover to a Redis whose clock is behind. */
  @Test
  void addsAfterTheClockWentBackAreKept() {
    var layout = Kind.BY_TIME.layout();
    var content = empty(Kind.BY_TIME);
    var element = random.ints(SegmentHistory.K, 0, content.positions()).toArray();
    content.advanceTo(1_000_000 + 3 * layout.windowMillis());
    assertFalse(content.contains(element, 0));
    content.advanceTo(1_000_000);
    assertEquals(Verdict.CHANGED, content.add(element, 0, 1_000_000));
    content.advanceTo(1_000_001);
    assertTrue(content.contains(element, 0));
  }

  @Test
  void elementsExpireAfterAWindowAndASlice() {
    var layout = Kind.BY_TIME.layout();
    var content = empty(Kind.BY_TIME);
    var element = random.ints(SegmentHistory.K, 0, content.positions()).toArray();
    content.add(element, 0, 1_000_000);
    content.advanceTo(1_000_000 + layout.windowMillis() + layout.sliceMillis() - 1);
    assertTrue(content.contains(element, 0));
    content.advanceTo(1_000_000 + layout.windowMillis() + layout.sliceMillis());
    assertFalse(content.contains(element, 0));
    assertEquals(
        Verdict.CHANGED,
        content.add(element, 0, 1_000_000 + layout.windowMillis() + layout.sliceMillis()));
  }

  @Test
  void anElementThatIsAddedAgainIsKeptForAnotherWindow() {
    var layout = Kind.REFRESHED.layout();
    var content = empty(Kind.REFRESHED);
    var element = random.ints(SegmentHistory.K, 0, content.positions()).toArray();
    assertEquals(Verdict.CHANGED, content.add(element, 0, 1_000_000));
    assertEquals(Verdict.KNOWN, content.add(element, 0, 1_000_000 + layout.sliceMillis() - 1));
    assertEquals(1, written(content), "within its slice");
    var again = 1_000_000 + layout.sliceMillis();
    assertEquals(Verdict.KNOWN, content.add(element, 0, again));
    content.advanceTo(again + layout.windowMillis() + layout.sliceMillis() - 1);
    assertTrue(content.contains(element, 0));
  }

  @Test
  void aWindowByInsertionsOutlastsAWindowOfLaterElements() {
    var content = empty(Kind.BY_INSERTIONS);
    var history = new SegmentHistory(Kind.BY_INSERTIONS, random);
    var recent = new ArrayList<int[]>();
    for (var i = 0; i < STEPS; i++) {
      var element = history.element();
      if (content.add(element, 0, i) == Verdict.CHANGED) {
        recent.add(element);
      }
      recent.stream()
          .skip(Math.max(0, recent.size() - 100))
          .forEach(some -> assertTrue(content.contains(some, 0), "seed " + seed));
    }
    assertFalse(recent.stream().allMatch(some -> content.contains(some, 0)));
  }

  /**
   * Such a segment would forget elements early. The hash gives each segment a number of elements
   * with a Poisson distribution, and Chernoff's bound is about fifteen times the probability.
   */
  @ParameterizedTest
  @CsvSource({"1_000_000, 2", "10_000_000, 12", "1_000_000_000, 1_100", "10_000_000, 4_096"})
  void segmentsOfAWindowByInsertionsRarelyOverflow(long n, int segments) {
    var layout = WindowLayout.ofInsertions(8, n, segments, false);
    var kept = layout.slices() * layout.ringInsertions();
    var average = (double) n / segments;
    var chance = Math.exp(kept - average - kept * Math.log(kept / average));
    assertTrue(chance < 1e-7, chance + " for " + kept);
  }

  @ParameterizedTest
  @EnumSource
  void aUnionContainsTheElementsOfBoth(Kind kind) {
    var content = empty(kind);
    var other = empty(kind);
    var history = new SegmentHistory(kind, random);
    var elements = new ArrayList<int[]>();
    for (var i = 0; i < 60; i++) {
      var element = history.element();
      (random.nextBoolean() ? content : other).add(element, 0, history.tick());
      elements.add(element);
    }
    var counts = elements.stream().map(one -> content.count(one, 0) + other.count(one, 0)).toList();
    var most = Math.max(content.insertions(), other.insertions());
    var sum = content.insertions() + other.insertions();
    var written = written(content) + written(other);
    content.addAll(other);
    assertTrue(most < content.insertions() && content.insertions() <= sum, "seed " + seed);
    assertEquals(written, written(content), "seed " + seed);
    assertTrue(
        rings(content).stream().allMatch(r -> r.bitsSet() <= SegmentHistory.K * r.elements()),
        "bits of other rings, seed " + seed);
    for (var i = 0; i < elements.size(); i++) {
      assertTrue(content.contains(elements.get(i), 0), "seed " + seed);
      if (kind.removes()) {
        assertTrue(content.count(elements.get(i), 0) >= Math.min(15, counts.get(i)));
      }
    }
  }

  /** The rings in use; none without a window. */
  private static List<SegmentCounts.Ring> rings(SegmentContent content) {
    return content instanceof WindowContent
        ? Rings.read(content.kindHeader(), content.bits.capacity())
        : List.of();
  }

  private static long written(SegmentContent content) {
    return rings(content).stream().mapToLong(SegmentCounts.Ring::elements).sum();
  }

  /** Rings that filled almost at the same time must not become a single overfull ring. */
  @Test
  void aCopyOfAFullWindowKeepsItsRings() {
    var content = fullWindow();
    var copy = empty(Kind.BY_TIME);
    copy.addAll(content);
    assertEquals(content.bitsSet(), copy.bitsSet());
    assertEquals(Kind.BY_TIME.layout().ringInsertions(), mostInRing(copy), "seed " + seed);
    copy.addAll(empty(Kind.BY_TIME));
    assertEquals(content.bitsSet(), copy.bitsSet());
  }

  @Test
  void theRingsOfTwoFullWindowsAreJoinedInPairs() {
    var content = fullWindow();
    content.addAll(fullWindow());
    assertEquals(2 * Kind.BY_TIME.layout().ringInsertions(), mostInRing(content), "seed " + seed);
  }

  @Test
  void elementsBeyondTheWindowsCapacityAreSpreadOverItsRings() {
    var layout = Kind.BY_TIME.layout();
    var content = empty(Kind.BY_TIME);
    for (var i = 0; i < 2 * layout.ringInsertions() * layout.rings(); i++) {
      content.add(random.ints(SegmentHistory.K, 0, content.positions()).toArray(), 0, 1_000_000);
    }
    assertTrue(mostInRing(content) <= 2 * layout.ringInsertions(), "seed " + seed);
  }

  @Test
  void expiredRingsAreNotJoined() {
    var content = fullWindow();
    content.advanceTo(1_000_000 + 2 * Kind.BY_TIME.layout().windowMillis());
    content.addAll(empty(Kind.BY_TIME));
    assertEquals(List.of(), rings(content));
  }

  private SegmentContent fullWindow() {
    var content = empty(Kind.BY_TIME);
    var history = new SegmentHistory(Kind.BY_TIME, random);
    while (content.insertions() < 300) {
      content.add(history.element(), 0, 1_000_000);
    }
    return content;
  }

  private static long mostInRing(SegmentContent content) {
    return rings(content).stream().mapToLong(SegmentCounts.Ring::elements).max().orElseThrow();
  }

  /** Elements added during a copy are newer than the copied ones. */
  @ParameterizedTest
  @CsvSource({"10, 90", "175, 30", "180, 30", "180, 80"})
  void joinedContentIsForgottenFirstByInsertions(int older, int newer) {
    var copied = empty(Kind.BY_INSERTIONS);
    var content = empty(Kind.BY_INSERTIONS);
    var history = new SegmentHistory(Kind.BY_INSERTIONS, random);
    var elements = new ArrayList<int[]>();
    addNew(older, copied, history, elements);
    addNew(newer, content, history, elements);
    content.addAll(copied);
    for (var later = 0; later < 200; later++) {
      elements.stream()
          .skip(Math.max(0, elements.size() - 100))
          .forEach(some -> assertTrue(content.contains(some, 0), "seed " + seed));
      addNew(1, content, history, elements);
      // Throws if the header does not match the rings.
      var unused =
          new Rings(
              content.bits,
              SegmentHistory.K,
              Kind.BY_INSERTIONS.layout().rings(),
              content.kindHeader());
    }
  }

  private static void addNew(
      int number, SegmentContent content, SegmentHistory history, List<int[]> elements) {
    for (var added = 0; added < number; ) {
      var element = history.element();
      if (content.add(element, 0, 0) == Verdict.CHANGED) {
        elements.add(element);
        added++;
      }
    }
  }
}
