package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.ZModem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Filters in a cluster, before and after they were renamed to a name in another slot. */
abstract class FiltersInSlots {

  static final FilterParameters ONE = TestInstance.shape(200_000, 7);

  /** The first segment takes several pieces, the last of them a short one. */
  static final FilterParameters PIECES = TestInstance.shape(5_000_000, 7);

  static final Schedule BY_HAND = new Schedule.ByHand();
  static final List<byte[]> ELEMENTS = elements("element ", 200);
  static final List<byte[]> MORE = elements("more ", 100);
  static final List<byte[]> OTHERS = elements("other ", 200);
  static final List<byte[]> LOADED = elements("loaded ", 100);

  TestInstance first;
  TestInstance second;
  TestInstance later;

  /** An instance on the cluster. */
  abstract TestInstance instance(Clock clock);

  /** An instance that does what it does step by step. */
  abstract TestInstance stepwise();

  /** The nodes that have keys of their own. */
  abstract List<TestRedis> primaries();

  /** The node that has a key. */
  abstract TestRedis owner(String key);

  void startInstances() {
    first = instance(Clock.systemUTC());
    second = instance(Clock.systemUTC());
    later = instance(Clock.offset(Clock.systemUTC(), Duration.ofSeconds(31)));
  }

  void closeInstances() {
    Stream.of(first, second, later).forEach(TestInstance::close);
  }

  /** What a filter has that is renamed, and what has the new name. */
  enum Kind {
    PLAIN,
    /** An open rebuild, a source and a deadline; it replaces another filter. */
    WITH_EVERYTHING,
    WITH_LATER_SEGMENTS,
    FORGETS;

    FilterParameters parameters() {
      return switch (this) {
        case PLAIN -> ONE;
        case WITH_EVERYTHING -> PIECES;
        case WITH_LATER_SEGMENTS -> SEVERAL;
        case FORGETS -> TestWindows.sized(2_000, TestWindows.years(4, true));
      };
    }

    boolean isRebuilt() {
      return this == WITH_EVERYTHING;
    }

    boolean replaces() {
      return this != PLAIN && this != FORGETS;
    }
  }

  /** What is prepared for a rename; the deadline is that of the filter. */
  Optional<Instant> prepare(Kind kind, FilterName from, FilterName to) {
    var deadline =
        Optional.of(Instant.now().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS))
            .filter(at -> kind.isRebuilt());
    first.create(from, kind.parameters(), deadline);
    first.add(from, ELEMENTS);
    if (kind.replaces()) {
      first.create(to, ONE);
      first.add(to, OTHERS);
    }
    if (kind.isRebuilt()) {
      first.sources.attach(from, new Source(new Origin.RedisKey("any"), BY_HAND, false));
      var next = first.openings.open(from, same -> same, Duration.ofHours(1));
      await(first.loads.load(next, LOADED));
    }
    return deadline;
  }

  /** The name that has the filter; the other one has none, or the filter that it had before. */
  FilterName theOneAlive(Kind kind, FilterName from, FilterName to) {
    var atFrom = present(second, from, ELEMENTS);
    var atTo = present(first, to, ELEMENTS);
    if (atFrom.isPresent()) {
      assertEquals(ELEMENTS.size(), atFrom.get());
      assertEquals(kind.replaces(), atTo.isPresent());
      assertTrue(atTo.orElse(0L) < ELEMENTS.size() / 2, "both are alive");
      if (kind.replaces()) {
        second.assertMaybe(to, OTHERS);
      }
      return from;
    }
    assertEquals(
        Optional.of((long) ELEMENTS.size()),
        atTo,
        () -> kind + ", " + keysWith(from) + ", " + keysWith(to) + ", " + stored(to));
    return to;
  }

  /** How many of some elements a filter might have; empty if there is none. */
  static Optional<Long> present(TestInstance instance, FilterName name, List<byte[]> some) {
    return await(
        instance
            .elements
            .test(name, some)
            .map(answers -> Optional.of((long) answers.trueCount()))
            .onFailure(
                failure ->
                    failure instanceof BloomException error
                        && error.code() == ErrorCode.FILTER_NOT_FOUND)
            .recoverWithItem(Optional.empty()));
  }

  void assertIsWhole(Kind kind, FilterName name, Optional<Instant> deadline) {
    second.assertMaybe(name, ELEMENTS);
    first.assertMaybe(name, MORE);
    var description = second.describe(name);
    var filter = description.filter();
    assertEquals(deadline, filter.expiresAt());
    assertEquals(bitsSet(filter), description.statistics().bitsSet());
    for (var key : keys(name, kind.isRebuilt() ? 5 : 2)) {
      var left = on(key, "PTTL", key).toLong();
      assertEquals(deadline.isPresent(), left > 0, key + " has " + left + " ms left");
    }
    if (kind.isRebuilt()) {
      first.sources.find(name);
      var rebuild = second.rebuilds.find(name);
      assertEquals(LOADED.size(), rebuild.elementsReceived());
      first.rebuilds.commit(rebuild.next(), 1, NewDeadline.KEEP);
      second.assertMaybe(name, LOADED);
      second.assertMaybe(name, MORE);
    }
  }

  long bitsSet(Filter filter) {
    first.fold(filter);
    return IntStream.range(0, filter.shape().segments())
        .mapToObj(segment -> TestStores.keys(filter, segment).get(1))
        .mapToLong(key -> on(key, "BITCOUNT", key).toLong())
        .sum();
  }

  void assertNothingElseLeft(FilterName alive, List<String> expected, FilterName gone) {
    assertEquals(Set.copyOf(expected), keysWith(gone));
    var left = keysWith(alive);
    left.removeAll(keys(alive, 6));
    assertEquals(Set.of(), left);
    assertNull(on(state(alive), "HGET", state(alive), "moving"));
    for (var name : List.of(alive, gone)) {
      assertNull(on(TestStores.unsettledKey(), "ZSCORE", TestStores.unsettledKey(), name.value()));
    }
    var catalogue = TestStores.catalogueKey();
    assertNotNull(on(catalogue, "ZSCORE", catalogue, alive.value()));
  }

  static FilterName newName() {
    return TestInstance.name();
  }

  static FilterName inAnotherSlot(FilterName name) {
    var slot = ZModem.generate(name.value());
    return Stream.generate(TestInstance::name)
        .filter(other -> ZModem.generate(other.value()) != slot)
        .findFirst()
        .orElseThrow();
  }

  /** So many of the keys in the slot of a name: state, bits, list, those of the next, source. */
  static List<String> keys(FilterName name, int most) {
    return Stream.of(
            TestStores.keys(name).subList(0, 2).stream(),
            TestStores.nextKeys(name).stream(),
            Stream.of(TestStores.sourceKey(name), TestStores.keys(name).get(2)))
        .flatMap(some -> some)
        .limit(most)
        .toList();
  }

  Response stored(FilterName name) {
    return on(state(name), "HGETALL", state(name));
  }

  static String state(FilterName name) {
    return TestStores.keys(name).get(0);
  }

  Response on(String key, String command, String... arguments) {
    return owner(key).command(command, arguments);
  }

  Set<String> keysWith(FilterName name) {
    return primaries().stream()
        .flatMap(node -> node.command("KEYS", "*{" + name + "}*").stream())
        .map(Response::toString)
        .collect(Collectors.toCollection(HashSet::new));
  }
}
