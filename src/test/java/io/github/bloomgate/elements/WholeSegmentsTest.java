package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.segment.WindowLayout;
import io.github.bloomgate.support.InParallel;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole segments are joined into a next generation while two instances add elements to it. */
class WholeSegmentsTest extends RoundsFixture {

  private static final int REQUESTS = 40;

  /** Filters whose rate is so low that the test never meets a false positive. */
  private enum Filter {
    ACCEPTING,
    BORN_WITHOUT_BITMAPS,
    REJECTING,
    COUNTING,
    COUNTING_REJECTING,
    BY_TIME,
    BY_INSERTIONS;

    private boolean counts() {
      return this == COUNTING || this == COUNTING_REJECTING;
    }

    TestFilter make() {
      return switch (this) {
        case ACCEPTING -> fixed(2, 16_384, 0, false);
        case BORN_WITHOUT_BITMAPS -> fixed(2, 1 << 17, 0, false);
        case REJECTING -> fixed(2, 16_384, 2_000, false);
        case COUNTING -> counting(2, 32_768);
        case COUNTING_REJECTING -> of(32_768, new SegmentFormat.Counting(2_000));
        case BY_TIME -> window(WindowLayout.ofMillis(3_600_000, 4, 1_000, 2, false));
        case BY_INSERTIONS -> window(WindowLayout.ofInsertions(4, 1_000, 2, false));
      };
    }

    private static TestFilter of(int bytes, SegmentFormat.Kind kind) {
      return new TestFilter(
          new FilterShape(2, 2L * bytes, 7), new SegmentFormat(bytes, 7, kind), false);
    }

    private static TestFilter window(WindowLayout layout) {
      return new TestFilter(
          new FilterShape(2, 8L * 2_048, 7),
          new SegmentFormat(2_048 * layout.rings(), 7, new SegmentFormat.Windowed(layout)),
          false);
    }
  }

  private final WholeSegments whole = new WholeSegments(one.stores.segments(), null, null);

  /** Reads the live content of a filter and joins it into the next generation of another. */
  private void join(TestFilter source, TestFilter target) {
    var from = source.view().live();
    for (var index = 0; index < from.layers().get(0).places().segments(); index++) {
      var content = whole.reader(from).read(index);
      var next = target.view().next().orElseThrow();
      whole.join(next, index, content);
    }
  }

  @ParameterizedTest
  @EnumSource
  void joinedAndAddedElementsAreAllKept(Filter kind) {
    var source = kind.make();
    one.add(source, elements("joined ", 200));
    var target = kind.make();
    other.add(target, "old");
    target.open();
    InParallel.atOnce(
        3,
        task -> {
          if (task == 2) {
            join(source, target);
            return;
          }
          for (var i = 0; i < REQUESTS; i++) {
            var names = elements((task == 0 ? "one " : "other ") + i + " ", 5);
            var added = (task == 0 ? one : other).add(target, names);
            assertTrue(added.answer(0) == Verdict.CHANGED, "seed " + seed);
          }
        });
    target.commit();

    for (var instance : List.of(one, other)) {
      for (var i = 0; i < REQUESTS; i++) {
        assertKnown(instance, target, elements("one " + i + " ", 5));
        assertKnown(instance, target, elements("other " + i + " ", 5));
      }
      assertKnown(instance, target, elements("joined ", 200));
      assertFalse(instance.contains(target, "old"));
    }
    var all = 200 + 2 * REQUESTS * 5;
    var insertions = target.insertions();
    assertTrue(
        insertions <= all && insertions > (kind.counts() ? all - 1 : 0.97 * all),
        () -> insertions + " of " + all);
  }

  /**
   * If the joined content fills a segment that refuses elements, blocks that were appended in the
   * meantime would be refused when they are replayed after it.
   */
  @Test
  void anAddDuringAJoinIsKeptByASegmentThatBecomesFull() {
    var source = fixed(1, 16_384, 0, false);
    one.add(source, elements("joined ", 50));
    var target = fixed(1, 16_384, 50, false);
    target.open();
    var add = new AtomicReference<Runnable>(() -> assertAdded(other.add(target, "meanwhile")));
    one.stores.losses().beforeFolding(() -> add.getAndSet(() -> {}).run());
    try {
      join(source, target);
    } finally {
      one.stores.losses().beforeFolding(() -> {});
    }
    target.commit();
    for (var instance : List.of(one, other)) {
      assertKnown(instance, target, "meanwhile");
      assertKnown(instance, target, elements("joined ", 50));
    }
  }

  private static void assertKnown(Instance instance, TestFilter filter, String... elements) {
    var answers = instance.run(filter, Kind.TEST, elements);
    for (var i = 0; i < elements.length; i++) {
      assertEquals(Verdict.KNOWN, answers.answer(i), elements[i]);
    }
  }

  /** No later block would reveal the joined content to a copy. */
  @ParameterizedTest
  @EnumSource
  void aCopyAtTheTipIsReadAgain(Filter kind) {
    var source = kind.make();
    one.add(source, elements("joined ", 50));
    var target = kind.make();
    target.open();
    other.add(target, elements("added ", 50));
    join(source, target);
    target.commit();
    assertKnown(other, target, elements("joined ", 50));
    assertKnown(other, target, elements("added ", 50));
  }
}
