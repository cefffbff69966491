package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What requests cost in calls of a single Redis, when they come as they do over HTTP. */
class OneCallTest {

  private static final Pattern CALLS = Pattern.compile("cmdstat_(?:evalsha|eval):calls=(\\d+)");
  private static final FilterParameters ONE = shape(400_000, 7);

  private static TestRedis redis;
  private static TestInstance instance;
  private static TestInstance other;
  private static Vertx vertx;
  private static Context loop;

  private final FilterName name = name();

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    instance = new TestInstance(redis);
    other = new TestInstance(redis);
    vertx = Vertx.vertx();
    loop = vertx.getOrCreateContext();
  }

  @AfterAll
  static void stop() {
    instance.close();
    other.close();
    redis.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  static List<FilterParameters> kinds() {
    return List.of(ONE, SEVERAL, shape(30_000, 3));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aBatchIsOneCallWhateverTheSizeOfTheFilter(FilterParameters kind) throws Exception {
    create(instance, name, kind);
    var some = elements("some ", 200);
    assertEquals(1, calls(List.of(instance.elements.add(name, some))));
    assertEquals(1, calls(List.of(instance.elements.test(name, some))));
    assertEquals(1, calls(List.of(instance.elements.add(name, some))));
    other.assertMaybe(name, some);
  }

  /** Of whichever segment it is: the first is looked at in the same call. */
  @Test
  void soIsAnElementWithoutACopy() throws Exception {
    try (var without = TestInstance.withoutCopies(redis)) {
      without.create(name, SEVERAL);
      // The first calls of a script bring its text along.
      without.add(name, elements("first ", 20));
      without.test(name, elements("first ", 20));
      for (var element : elements("some ", 20)) {
        var alone = List.of(element);
        assertEquals(1, calls(List.of(without.elements.add(name, alone))));
        assertEquals(1, calls(List.of(without.elements.test(name, alone))));
      }
      other.assertMaybe(name, elements("some ", 20));
      without.assertCountsAreExact(name);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void soIsOneWhileARebuildIsOpen(FilterParameters kind) throws Exception {
    create(instance, name, kind);
    var next = TestInstance.openNext(other, name);
    warm(instance, name);
    var some = elements("some ", 200);
    assertEquals(1, calls(List.of(instance.elements.add(name, some))));
    other.rebuilds.commit(next, 0, NewDeadline.KEEP);
    other.assertMaybe(name, some);
    instance.assertMaybe(name, some);
    instance.assertCountsAreExact(name);
  }

  /** Those that are full and only answer, and the last one, which takes what is new. */
  @Test
  void allLayersAreAskedAtOnce() throws Exception {
    create(instance, name, GrowTest.growing(200, 0.01, 1 << 20));
    var some = elements("some ", 2_000);
    instance.add(name, some);
    assertEquals(4, instance.describe(name).filter().layers().size());
    var few = List.of(some.get(0), some.get(1_000), some.get(1_999));
    assertEquals(1, calls(List.of(instance.elements.test(name, few))));
    assertEquals(1, calls(List.of(instance.elements.add(name, few.subList(0, 2)))));
    assertEquals(1, calls(List.of(instance.elements.add(name, elements("new ", 5)))));
    other.assertMaybe(name, elements("new ", 5));
    instance.assertCountsAreExact(name);
  }

  /** What the live generation refuses must not get into the next. */
  @Test
  void aFilterThatRefusesElementsIsAskedFirst() {
    create(instance, name, TestInstance.sized(2_000, 1e-6, WhenFull.REJECT));
    var next = TestInstance.openNext(other, name);
    warm(instance, name);
    var loaded = other.descriptions.describeRebuild(name).statistics().insertions();
    instance.add(name, elements("some ", 2_000 - (int) loaded));
    TestInstance.assertFails(
        ErrorCode.FILTER_FULL, instance.elements.add(name, elements("late ", 10)));
    assertEquals(2_000, other.descriptions.describeRebuild(name).statistics().insertions());
    other.rebuilds.abort(next);
  }

  @Test
  void requestsOfSeveralFiltersShareACall() throws Exception {
    var names = IntStream.range(0, 20).mapToObj(i -> name()).toList();
    names.forEach(one -> create(instance, one, ONE));
    var some = elements("some ", 10);
    assertEquals(1, calls(names.stream().map(one -> instance.elements.add(one, some)).toList()));
    assertEquals(1, calls(names.stream().map(one -> instance.elements.test(one, some)).toList()));
    names.forEach(one -> other.assertMaybe(one, some));
  }

  /** One of them is gone, another is new: each request is answered as if it were alone. */
  @Test
  void whatOneIsRefusedIsNoMatterOfTheOthers() throws Exception {
    var gone = name();
    create(instance, name, ONE);
    create(instance, gone, SEVERAL);
    other.changes.delete(gone, false);
    var some = elements("some ", 10);
    var good = new CompletableFuture<Answers>();
    var bad = new CompletableFuture<Throwable>();
    loop.runOnContext(
        ignored -> {
          instance.elements.add(gone, some).subscribe().with(done -> {}, bad::complete);
          instance
              .elements
              .add(name, some)
              .subscribe()
              .with(good::complete, good::completeExceptionally);
        });
    assertEquals(10, good.get(10, TimeUnit.SECONDS).trueCount());
    assertTrue(bad.get(10, TimeUnit.SECONDS).getMessage().contains(gone.value()));
  }

  /**
   * A journal may have a part of the size of its segment: what all of them have is not one answer.
   */
  @Test
  void whoLagsFarBehindIsToldInParts() throws Exception {
    create(instance, name, shape(6 * (1L << 24), 7));
    warm(other, name);
    for (var part = 0; part < 30; part++) {
      other.add(name, elements(part + " ", 2_000));
    }
    assertEquals(2, calls(List.of(instance.elements.test(name, elements("0 ", 2_000)))));
    for (var part = 0; part < 30; part++) {
      instance.assertMaybe(name, elements(part + " ", 2_000));
    }
  }

  private static void create(TestInstance by, FilterName name, FilterParameters kind) {
    by.create(name, kind);
    warm(by, name);
  }

  /** Until an instance has a copy of each segment, and knows of a rebuild. */
  private static void warm(TestInstance by, FilterName name) {
    for (var i = 0; i < 3; i++) {
      by.add(name, elements("warm ", 1_000));
      by.assertMaybe(name, elements("warm ", 1_000));
    }
  }

  /** How many calls are made for requests that an event loop takes in one turn. */
  private static int calls(List<? extends Uni<?>> requests) throws Exception {
    redis.command("CONFIG", "RESETSTAT");
    var all = new CompletableFuture<Void>();
    loop.runOnContext(
        ignored ->
            Uni.join()
                .all(requests.stream().map(Uni::replaceWithVoid).toList())
                .andFailFast()
                .subscribe()
                .with(done -> all.complete(null), all::completeExceptionally));
    all.get(TestInstance.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return CALLS
        .matcher(redis.command("INFO", "commandstats").toString())
        .results()
        .mapToInt(match -> Integer.parseInt(match.group(1)))
        .sum();
  }
}
