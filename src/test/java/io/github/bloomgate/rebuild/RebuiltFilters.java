package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;

/** Filters that one of two instances rebuilds, and assertions about them. */
@OnRedis
abstract class RebuiltFilters {

  static final List<byte[]> OLD = elements("old ", 200);
  static final List<byte[]> LOADED = elements("loaded ", 300);
  static final List<byte[]> CONCURRENT = elements("concurrent ", 250);
  static final List<byte[]> MORE = elements("more ", 20);

  static final Duration AN_HOUR = Duration.ofHours(1);
  static final Optional<Instant> NEVER = Optional.empty();
  static final Optional<Instant> SOON = TestInstance.inHours(2);
  static final Optional<Instant> LATE = TestInstance.inHours(9);

  static final long SEED = System.nanoTime();
  static final Random RANDOM = new Random(SEED);

  static TestRedis redis;
  static TestInstance first;
  static TestInstance second;

  @BeforeAll
  static void start() {
    System.out.println("rebuilt filters: seed " + SEED);
  }

  static Generation filled(AnyKind kind, Optional<Instant> expiry) {
    var name = kind.create(first, expiry);
    first.add(name, OLD);
    second.assertMaybe(name, OLD);
    return first.describe(name).live();
  }

  /** Opens a rebuild with parameters that the kind of filter allows. */
  static Rebuild open(AnyKind kind, FilterName name) {
    var next = kind.next(RANDOM);
    return first.rebuilds.open(name, live -> next, AN_HOUR);
  }

  static void load(Rebuild rebuild, List<byte[]> elements) {
    assertEquals(elements.size(), await(rebuild.load(elements, Client.SERVICE)).flags().length);
  }

  static void commit(TestInstance instance, FilterName name) {
    instance.rebuild(name).commit(1, NewExpiry.KEEP);
  }

  /** Asserts that the rebuild cannot be continued. */
  static void assertOver(Rebuild rebuild) {
    var next = rebuild.next();
    assertFails(ErrorCode.REBUILD_NOT_FOUND, rebuild.load(LOADED, Client.SERVICE));
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> rebuild.commit(0, NewExpiry.KEEP));
    assertEquals(false, rebuild.abort());
    var its = Optional.of(next.content().incarnation());
    assertFails(ErrorCode.REBUILD_NOT_FOUND, second.rebuilds.find(next.name(), its));
  }

  static void assertNoContent(Generation generation) {
    assertEquals(List.of(), first.keysWith(generation.content().incarnation()));
  }

  static void assertNone(FilterName name, List<byte[]> elements) {
    for (var instance : List.of(first, second)) {
      assertEquals(
          0,
          await(instance.elements.test(name, elements, Client.SERVICE)).trueCount(),
          "seed " + SEED);
    }
  }

  static void assertHas(FilterName name, List<List<byte[]>> all) {
    for (var some : all) {
      first.assertMaybe(name, some);
      second.assertMaybe(name, some);
    }
    first.assertCountsAreExact(name);
  }

  static boolean hasNextKey(FilterName name) {
    return redis.command("EXISTS", Keys.next(name)).toInteger() == 1;
  }
}
