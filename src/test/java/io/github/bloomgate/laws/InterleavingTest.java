package io.github.bloomgate.laws;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.laws.ModelCall.Kind;
import io.github.bloomgate.support.TestExtent;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Calls at once as in {@link LinearizabilityTest}, but one step at a time and in the order that
 * dice choose: who calls next, whose request reaches Redis, whose answer comes back. So requests
 * and answers overlap in ways that time alone hardly ever makes, and a seed repeats them exactly.
 * {@code -Dtest.model-interleavings=1000000} looks at more.
 */
@Tag("fuzz")
class InterleavingTest extends Interleavings {

  private static final int HISTORIES = TestExtent.of("test.model-interleavings", 60, 10_000);

  private static final Set<Kind> LIFE =
      Set.of(
          Kind.CREATE,
          Kind.ADD,
          Kind.TEST,
          Kind.DESCRIBE,
          Kind.EXPIRE,
          Kind.CLEAR,
          Kind.DELETE,
          Kind.RENAME);

  private static final Set<Kind> REBUILDS =
      Set.of(Kind.ADD, Kind.TEST, Kind.DESCRIBE, Kind.OPEN, Kind.LOAD, Kind.COMMIT, Kind.ABORT);

  InterleavingTest() {
    super(HISTORIES);
  }

  /** Copies of bitmaps are loaded, outrun and brought up to date, and connections are lost. */
  @Test
  void addsAndTests() {
    addAndTest(FRESH, false);
    assertTrue(
        instances.stream().allMatch(instance -> near(instance) > 0), "no test was decided near");
    assertTrue(
        instances.stream().allMatch(instance -> coalesced(instance) > 0), "no calls were shared");
  }

  /** Elements are added as bitmaps, by several at once. */
  @Test
  void addsOfMany() {
    addAndTest(2 * BULK, true);
    assertTrue(instances.stream().allMatch(instance -> merged(instance) > 0), "nothing was merged");
  }

  /** The whole life of filters. */
  @Test
  void filtersThatComeAndGo() {
    again(LIFE, false);
  }

  /** A rebuild under adds, the filter remaining where it is. */
  @Test
  void rebuilds() {
    again(with(REBUILDS, Kind.EXPIRE), true);
  }

  /** A rebuild of filters that are renamed and deleted. */
  @Test
  void rebuildsOfFiltersThatComeAndGo() {
    again(with(REBUILDS, Kind.CREATE, Kind.EXPIRE, Kind.DELETE, Kind.RENAME), true);
  }

  /** Layers open, by both instances, while the filter has its life. */
  @Test
  void filtersThatGrow() {
    again(
        Set.of(
            Kind.CREATE, Kind.ADD, Kind.TEST, Kind.DESCRIBE, Kind.EXPIRE, Kind.CLEAR, Kind.DELETE),
        false,
        ModelledService.GROWING);
  }

  /** Also during renames, which do not change later segments. */
  @Test
  void filtersThatGrowAndAreRenamed() {
    again(LIFE, false, ModelledService.GROWING);
  }

  /** Under a rebuild, which grows too. */
  @Test
  void rebuildsOfFiltersThatGrow() {
    again(REBUILDS, true, ModelledService.GROWING);
  }

  /** Slices begin between adds and tests, by copies and without. */
  @Test
  void addsAndTestsOfWindows() {
    addAndTest(FRESH, false, List.of(Kind.ADD, Kind.TEST, Kind.TEST), ModelledService.FORGETTING);
    assertTrue(
        instances.stream().allMatch(instance -> near(instance) > 0), "no test was decided near");
  }

  /** Adds that are sent as bitmaps. */
  @Test
  void batchesToWindows() {
    addAndTest(2 * BULK, true, List.of(Kind.ADD, Kind.TEST, Kind.TEST), ModelledService.FORGETTING);
  }

  /** Slices begin while the filter has its life. */
  @Test
  void windowsByTime() {
    again(LIFE, false, ModelledService.FORGETTING);
  }

  /** Elements are removed while the filter has its life. */
  @Test
  void filtersThatCount() {
    again(with(LIFE, Kind.REMOVE, Kind.COUNT), false, ModelledService.COUNTING);
  }

  /** Under a rebuild, which gets all adds and no removals. */
  @Test
  void rebuildsOfFiltersThatCount() {
    again(with(REBUILDS, Kind.REMOVE, Kind.COUNT), true, ModelledService.COUNTING);
  }

  /** Each add and each removal is done once, by copies and without. */
  @Test
  void addsTestsAndRemovalsOfFiltersThatCount() {
    addAndTest(
        FRESH,
        false,
        List.of(Kind.ADD, Kind.ADD, Kind.TEST, Kind.REMOVE, Kind.COUNT),
        ModelledService.COUNTING);
  }

  /** The known elements follow from the order of all adds on all instances. */
  @Test
  void windowsByInsertions() {
    again(
        Set.of(Kind.ADD, Kind.TEST, Kind.DESCRIBE, Kind.CLEAR),
        false,
        ModelledService.FORGETTING_BY_INSERTIONS);
  }

  /** During a rebuild, whose slices begin too. */
  @Test
  void rebuildsOfWindows() {
    again(REBUILDS, true, ModelledService.FORGETTING);
  }

  private static Set<Kind> with(Set<Kind> kinds, Kind... more) {
    var all = EnumSet.copyOf(kinds);
    all.addAll(List.of(more));
    return all;
  }
}
