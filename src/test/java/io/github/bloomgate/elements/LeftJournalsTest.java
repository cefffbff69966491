package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Journals are folded although the filter is not used any more by an instance with a copy. */
@OnRedis
class LeftJournalsTest {

  private static final FilterParameters LARGE = TestInstance.shape(1 << 24, 7);

  static TestRedis redis;
  static TestInstance one;
  static TestInstance other;

  /** Drops each copy for the next one. */
  @OnRedis.Special static TestInstance small;

  @BeforeAll
  static void start() {
    small = TestInstance.withoutCopies(redis);
  }

  private static long unfolded(FilterName name) {
    var filter = one.describe(name).live();
    return Arrays.stream(filter.written().indexes())
        .mapToLong(
            index -> {
              var string = one.redis("GET", TestInstance.segmentKey(filter, index)).toBytes();
              try (var copy = SegmentCopy.read(filter.layer(index).format(), string)) {
                return copy.unfolded();
              }
            })
        .sum();
  }

  private static void foldLeft(TestInstance instance) {
    instance.get(LeftJournals.class).fold(Duration.ZERO);
  }

  private static long insertionsInList(TestInstance instance, FilterName name) {
    var page =
        instance
            .get(DescriptionService.class)
            .list(List.of(name.value()), Optional.empty(), 1, true, Client.SERVICE);
    return page.entries().get(0).statistics().orElseThrow().insertions();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void aListShowsEverythingAfterASecondLook(AnyKind kind) {
    var name = kind.create(one);
    one.add(name, elements("e", 10));
    var exact = one.describe(name).statistics().insertions();
    insertionsInList(other, name);
    assertTrue(unfolded(name) > 0);
    while (unfolded(name) > 0) {
      foldLeft(other);
      insertionsInList(other, name);
    }
    assertEquals(exact, insertionsInList(other, name));
    one.assertMaybe(name, elements("e", 10));
    one.assertCountsAreExact(name);
    assertEquals(0, other.get(MemoryBudget.class).taken(MemoryBudget.Use.BITMAPS));
  }

  /** Its users fold it when they stop. */
  @Test
  void aSegmentInUseIsLeftAlone() {
    var name = name();
    one.create(name, LARGE);
    one.add(name, elements("e", 10));
    insertionsInList(other, name);
    one.add(name, elements("more ", 10));
    var before = unfolded(name);
    foldLeft(other);
    assertEquals(before, unfolded(name));
  }

  @Test
  void aCopyThatIsDroppedIsFoldedLater() {
    var name = name();
    small.create(name, TestInstance.counting(1_000));
    small.add(name, elements("e", 10));
    var next = name();
    small.create(next, TestInstance.counting(1_000));
    small.add(next, elements("e", 10));
    foldLeft(small);
    assertEquals(0, unfolded(name));
    assertTrue(unfolded(next) > 0);
    one.assertCountsAreExact(name);
  }

  @Test
  void aCommittedRebuildIsFolded() {
    var name = name();
    one.create(name, LARGE);
    try (var rebuild = one.rebuilds.open(name, parameters -> parameters, TestInstance.MAX_WAIT)) {
      TestInstance.await(rebuild.load(elements("e", 100), Client.SERVICE));
      rebuild.commit(0, NewExpiry.KEEP);
    }
    // The first fold learns of the commit.
    one.fold();
    one.fold();
    assertEquals(0, unfolded(name));
    one.assertMaybe(name, elements("e", 100));
  }

  @Test
  void aCommittedRebuildWithoutACopyIsFolded() {
    var name = name();
    small.create(name, LARGE);
    try (var rebuild = small.rebuilds.open(name, parameters -> parameters, TestInstance.MAX_WAIT)) {
      TestInstance.await(rebuild.load(elements("e", 100), Client.SERVICE));
      var next = name();
      small.create(next, TestInstance.counting(1_000));
      small.add(next, elements("e", 10));
      rebuild.commit(0, NewExpiry.KEEP);
    }
    // The first fold learns of the commit.
    foldLeft(small);
    foldLeft(small);
    assertEquals(0, unfolded(name));
    one.assertMaybe(name, elements("e", 100));
  }

  @Test
  void anAbortedRebuildIsNotFolded() {
    var name = name();
    one.create(name, LARGE);
    try (var rebuild = one.rebuilds.open(name, parameters -> parameters, TestInstance.MAX_WAIT)) {
      TestInstance.await(rebuild.load(elements("e", 100), Client.SERVICE));
    }
    var before = one.count("bloom.journal.snapshots", "result", "written");
    one.fold();
    one.fold();
    assertEquals(before, one.count("bloom.journal.snapshots", "result", "written"));
  }

  @Test
  void aRenamedFilterIsFoldedByTheInstanceThatRenamedIt() {
    var name = name();
    one.create(name, LARGE);
    one.add(name, elements("e", 100));
    var to = name();
    other.descriptions.describeChanged(other.renames.rename(name, to, false));
    foldLeft(other);
    assertEquals(0, unfolded(to));
    one.assertMaybe(to, elements("e", 100));
  }
}
