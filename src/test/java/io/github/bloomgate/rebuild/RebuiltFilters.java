package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.HastyClock;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.Arguments;

/** Filters that are rebuilt by one of two instances, and what is to be seen of them. */
abstract class RebuiltFilters {

  static final FilterParameters ONE = TestInstance.shape(50_000, 5);
  static final FilterParameters ANOTHER = TestInstance.shape(90_000, 3);
  static final FilterParameters TWO = TestInstance.shape(2 * (1L << 24), 4);

  static final List<byte[]> OLD = elements("old ", 200);
  static final List<byte[]> LOADED = elements("loaded ", 300);
  static final List<byte[]> MEANWHILE = elements("meanwhile ", 250);

  static final Duration AN_HOUR = Duration.ofHours(1);
  static final Optional<Instant> SOON = inHours(2);
  static final Optional<Instant> LATE = inHours(9);

  TestRedis redis;
  TestInstance first;
  TestInstance second;

  /** Takes whatever is under way for abandoned. */
  TestInstance hasty;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    first = new TestInstance(redis);
    second = new TestInstance(redis);
    hasty = new TestInstance(redis, new HastyClock());
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    hasty.close();
    redis.close();
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("the same", ONE, ONE),
        change("another size", ONE, ANOTHER),
        change("1 to 3 segments", ONE, SEVERAL),
        change("3 to 1 segments", SEVERAL, ONE),
        change("3 to 2 segments", SEVERAL, TWO),
        change("3 segments", SEVERAL, SEVERAL));
  }

  static Arguments change(String what, FilterParameters before, FilterParameters after) {
    return Arguments.of(Named.of(what, before), after);
  }

  static Stream<Named<FilterParameters>> shapes() {
    return Stream.of(Named.of("1 segment", ONE), Named.of("3 segments", SEVERAL));
  }

  void commitFound(FilterName name, Filter next) {
    second.rebuilds.find(name);
    commit(next);
  }

  Filter filled(FilterParameters parameters, Optional<Instant> deadline) {
    var filter = first.create(name(), parameters, deadline);
    first.add(filter.name(), OLD);
    return filter;
  }

  Filter open(Filter live, FilterParameters parameters) {
    return open(live, parameters, AN_HOUR);
  }

  Filter open(Filter live, FilterParameters parameters, Duration patience) {
    return first.openings.open(
        live.name(),
        before -> {
          assertEquals(live.parameters(), before);
          return parameters;
        },
        patience);
  }

  static FilterParameters same(FilterParameters live) {
    return live;
  }

  void assertLoads(Filter next, List<byte[]> elements) {
    assertEquals(elements.size(), await(first.loads.load(next, elements)).flags().length);
  }

  Description commit(Filter next) {
    first.rebuilds.commit(next, 1, NewDeadline.KEEP);
    return first.descriptions.describeChanged(next.name());
  }

  static String codeOf(Throwable failure) {
    return ((BloomException) failure).code().name();
  }

  List<FilterName> listed(FilterName name) {
    return second.descriptions.list(List.of(name.value()), Optional.empty(), 10).entries().stream()
        .map(FilterPage.Entry::name)
        .toList();
  }

  void assertNoted(FilterName name) {
    assertNotEquals(null, redis.command("ZSCORE", TestStores.unsettledKey(), name.value()));
  }

  void assertAborted(Filter live, Filter next) {
    var now = second.describe(live.name());
    assertEquals(live.generation(), now.filter().generation());
    assertEquals(Optional.empty(), now.filter().next());
    assertEquals(Optional.empty(), now.rebuild());
    // Unless it was emptied since.
    first.assertMaybe(live.name(), live.revision() == 1 ? OLD : MEANWHILE);
    first.assertCountsAreExact(live.name());
    assertOver(next);
    assertNoSegments(next);
  }

  /** Nothing of a rebuild is left at its name, and nobody looks for it any more. */
  void assertOver(Filter next) {
    assertEquals(List.of(), first.keysWith("{" + next.name() + "}:*:next"));
    first.assertReconciled(next.name());
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> second.rebuilds.find(next.name()));
    var state = TestStores.keys(next.name()).get(0);
    for (var field : List.of("next", "received", "patience", "abandonedAt", "pending")) {
      assertEquals(null, redis.command("HGET", state, field), field);
    }
  }

  void assertNoSegments(Filter filter) {
    assertEquals(List.of(), first.keysWith(filter.generation().incarnation()));
    var list = TestStores.keys(filter.name()).get(2);
    assertEquals(
        null, redis.command("HGET", list, filter.generation().incarnation()), "listed segments");
  }

  void assertDeletedWhole(Filter filter) {
    second.changes.delete(filter.name(), false);
    first.assertNothingLeft(filter);
  }

  void reconcileAbandoned() {
    hasty.reconciler.reconcileAbandoned();
  }

  static Optional<Instant> inHours(int hours) {
    return Optional.of(Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(hours, ChronoUnit.HOURS));
  }
}
