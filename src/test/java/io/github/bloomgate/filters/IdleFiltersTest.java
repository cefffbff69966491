package io.github.bloomgate.filters;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.TestWatches;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.IdleExpiry;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.Written;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Filters that expire when they are not used. */
@OnRedis
class IdleFiltersTest {

  private static final FilterParameters SOME = TestInstance.shape(10_000, 7);
  private static final List<byte[]> OLD = elements("old ", 20);
  private static final List<byte[]> NEW = elements("new ", 20);

  private static final Duration IDLE = Duration.ofHours(1);
  private static final NewExpiry BY_ADDS = NewExpiry.whenIdle(new IdleExpiry(IDLE, false));
  private static final NewExpiry BY_TESTS = NewExpiry.whenIdle(new IdleExpiry(IDLE, true));

  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;

  /** An instance whose clock goes on only when a test says so. */
  @OnRedis.Special private static TestInstance timed;

  private static final AtomicReference<Instant> TIME = new AtomicReference<>(Instant.EPOCH);

  private static final class TestClock extends Clock {

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return TIME.get();
    }
  }

  @BeforeAll
  static void start() {
    timed = new TestInstance(redis, new TestClock());
  }

  private static FilterName created(NewExpiry expiry) {
    var name = name();
    assertTrue(one.creations.create(name, SOME, expiry, Quota.NONE).created());
    return name;
  }

  /** All keys of a filter and of its rebuild, without its source. */
  private static List<String> keys(FilterName name) {
    var keys = new ArrayList<>(List.of(Keys.state(name)));
    var found = other.live.get(name);
    keys.addAll(other.keysWith(found.live().incarnation()));
    found
        .next()
        .ifPresent(
            next -> {
              keys.add(Keys.next(name));
              keys.addAll(other.keysWith(next.incarnation()));
            });
    return keys;
  }

  /** Lets a filter expire this much earlier, as if it had not been used for that time. */
  private static void pass(FilterName name, Duration time) {
    var found = other.live.get(name).live();
    setExpiry(name, found.expiresAt().orElseThrow().minus(time));
    one.live.forget(name);
    other.live.forget(name);
  }

  private static void setExpiry(FilterName name, Instant time) {
    var millis = String.valueOf(time.toEpochMilli());
    for (var key : keys(name)) {
      if (key.equals(Keys.state(name)) || key.equals(Keys.next(name))) {
        one.redis("HSET", key, "expiresAt", millis);
      }
      one.redis("PEXPIREAT", key, millis);
    }
  }

  private static Instant expiry(FilterName name) {
    return one.describe(name).live().expiresAt().orElseThrow();
  }

  /** Every key exists for the idle time, and for up to two minutes more. */
  private static void assertPostponed(FilterName name) {
    for (var key : keys(name)) {
      var left = Duration.ofMillis(one.redis("PTTL", key).toLong());
      assertTrue(left.compareTo(IDLE) > 0, key + " has only " + left);
      assertTrue(left.compareTo(IDLE.plusMinutes(2)) <= 0, key + " has " + left);
    }
  }

  private static void assertNotPostponed(FilterName name) {
    var left = one.redis("PTTL", Keys.state(name)).toLong();
    assertTrue(left < Duration.ofMinutes(13).toMillis(), "has " + left + " ms left");
  }

  private static final Duration MOST = Duration.ofMinutes(50);

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "ADOPTED")
  void anAddPostponesTheExpiryOfAllKeys(AnyKind kind) {
    var name = kind.create(one);
    one.add(name, OLD);
    one.changes.expire(name, BY_ADDS);
    assertPostponed(name);
    var instances = List.of(other, one);
    for (var turn = 0; turn < instances.size(); turn++) {
      pass(name, MOST);
      assertNotPostponed(name);
      var added = instances.get(turn).add(name, elements("of turn %d ".formatted(turn), 1));
      assertEquals(1, TestInstance.trueCount(added));
      assertPostponed(name);
    }
    one.assertExpiry(name, Optional.of(expiry(name)));
    one.assertMaybe(name, OLD);
    one.assertCountsAreExact(name);
  }

  /** The add of a known element writes nothing else. */
  @Test
  void aKnownElementPostponesTheExpiryToo() {
    var name = created(BY_ADDS);
    one.add(name, OLD);
    pass(name, MOST);
    assertEquals(0, TestInstance.trueCount(one.add(name, OLD)));
    assertPostponed(name);
  }

  @Test
  void removalsPostponeTheExpiry() {
    var name = name();
    one.create(name, TestInstance.counting(100));
    one.add(name, OLD);
    one.changes.expire(name, BY_ADDS);
    pass(name, MOST);
    assertEquals(OLD.size(), TestInstance.trueCount(other.remove(name, OLD)));
    assertPostponed(name);
  }

  @Test
  void testsAndCountsPostponeTheExpiryOnlyIfTheyShall() {
    for (var isCounting : List.of(true, false)) {
      for (var expiry : List.of(BY_ADDS, BY_TESTS)) {
        var name = name();
        one.create(name, isCounting ? TestInstance.counting(100) : SOME);
        one.add(name, OLD);
        one.changes.expire(name, expiry);
        pass(name, MOST);
        if (isCounting) {
          assertEquals(1, other.count(name, OLD)[0]);
        } else {
          other.assertMaybe(name, OLD);
        }
        if (expiry.equals(BY_TESTS)) {
          assertPostponed(name);
        } else {
          assertNotPostponed(name);
        }
      }
    }
  }

  /** The answers do not wait for that. */
  @Test
  void testsOfCopiesPostponeTheExpiryToo() {
    var name = created(BY_TESTS);
    timed.add(name, OLD);
    TestWatches.awaitCopies(timed, name);
    for (var i = 0; i < 2; i++) {
      var last = expiry(name);
      TIME.updateAndGet(now -> now.plusSeconds(61));
      // A test may wait for the postponement that an earlier one began.
      Awaitility.await()
          .until(
              () -> {
                testInCopies(name);
                return !expiry(name).equals(last);
              });
      assertPostponed(name);
      TestWatches.awaitCopies(timed, name);
      // Otherwise each further test would postpone it again.
      var dueAt = TestWatches.watched(timed, name).dueAt().orElseThrow();
      assertTrue(dueAt.isAfter(TIME.get()), dueAt + " at " + TIME.get());
    }
  }

  private static void testInCopies(FilterName name) {
    var inCopies = timed.count("bloom.copies.tests", "decided", "young-copy");
    var test = timed.elements.test(name, OLD, Optional.of(Duration.ofHours(1)), Client.SERVICE);
    assertEquals(OLD.size(), await(test).trueCount());
    assertEquals(inCopies + OLD.size(), timed.count("bloom.copies.tests", "decided", "young-copy"));
  }

  @Test
  void aRequestToSeveralFiltersPostponesTheirExpiry() {
    var names = List.of(created(BY_TESTS), created(BY_ADDS), created(NewExpiry.NONE));
    names.subList(0, 2).forEach(name -> pass(name, MOST));
    await(other.elements.testAll(names, OLD, false, Client.SERVICE));
    assertPostponed(names.get(0));
    assertNotPostponed(names.get(1));
    await(
        other.elements.addToAll(names, OLD, Durability.PRIMARY, Optional.empty(), Client.SERVICE));
    assertPostponed(names.get(1));
    assertEquals(-1, one.redis("PTTL", Keys.state(names.get(2))).toLong());
  }

  @Test
  void theExpiryIsPostponedOnceAMinute() {
    var name = created(BY_ADDS);
    timed.add(name, OLD);
    var first = expiry(name);
    TIME.updateAndGet(now -> now.plusSeconds(50));
    timed.add(name, NEW);
    assertEquals(first, expiry(name));
    TIME.updateAndGet(now -> now.plusSeconds(11));
    timed.add(name, NEW);
    var second = expiry(name);
    assertNotEquals(first, second);
    timed.add(name, NEW);
    TIME.updateAndGet(now -> now.plusSeconds(50));
    timed.add(name, NEW);
    assertEquals(second, expiry(name));
    assertPostponed(name);
  }

  /** Each instance knows the filter with another expiry. */
  @Test
  void anInstanceLearnsOfAnExpiryThatAnotherOneSets() {
    var former = List.of(NewExpiry.NONE, NewExpiry.of(TestInstance.inHours(5)), BY_ADDS);
    for (var before : former) {
      var name = created(before);
      one.add(name, OLD);
      one.assertMaybe(name, OLD);
      other.changes.expire(name, BY_TESTS);
      setExpiry(name, Instant.now().plusSeconds(300));
      one.assertMaybe(name, OLD);
      assertPostponed(name);
    }
  }

  @Test
  void anotherExpiryEndsIt() {
    var name = created(BY_TESTS);
    one.add(name, OLD);
    var soon = TestInstance.inHours(2);
    for (var expiry : List.of(soon, Optional.<Instant>empty())) {
      other.changes.expire(name, NewExpiry.of(expiry));
      one.add(name, NEW);
      one.assertExpiry(name, expiry);
      assertEquals(Optional.empty(), one.describe(name).live().idle());
      other.changes.expire(name, BY_TESTS);
      assertPostponed(name);
    }
  }

  @Test
  void aRebuildIsUseAndHasTheSameExpiry() {
    var name = created(BY_ADDS);
    one.add(name, OLD);
    var rebuild = one.rebuilds.open(name, parameters -> parameters, Duration.ofHours(9));
    one.add(name, NEW);
    pass(name, MOST);
    await(other.rebuild(name).load(OLD, Client.SERVICE));
    assertPostponed(name);
    pass(name, MOST);
    one.add(name, NEW);
    assertPostponed(name);
    pass(name, MOST);
    rebuild.commit(1, NewExpiry.KEEP);
    assertPostponed(name);
    one.assertMaybe(name, NEW);
    assertEquals(BY_ADDS.idle(), one.describe(name).live().idle());

    var last = one.rebuilds.open(name, parameters -> parameters, TestInstance.MAX_WAIT);
    last.commit(0, NewExpiry.of(TestInstance.inHours(3)));
    assertEquals(Optional.empty(), other.live.get(name).live().idle());
  }

  @Test
  void itStaysWhenAFilterIsClearedOrRenamedAndIsCopied() {
    var name = created(BY_TESTS);
    one.add(name, OLD);
    pass(name, MOST);
    one.changes.clear(name);
    assertNotPostponed(name);
    assertEquals(BY_TESTS.idle(), one.describe(name).live().idle());
    var to = name();
    one.renames.rename(name, to, false);
    assertEquals(BY_TESTS.idle(), one.describe(to).live().idle());
    other.test(to, OLD);
    assertPostponed(to);
    one.add(to, OLD);
    pass(to, MOST);
    var existing = created(NewExpiry.NONE);
    for (var copy : List.of(name(), existing)) {
      one.copies.copy(to, copy, true, Optional.empty(), Quota.NONE, Client.SERVICE);
      assertEquals(BY_TESTS.idle(), other.describe(copy).live().idle());
      assertPostponed(copy);
      one.copies.copy(to, copy, true, TestInstance.inHours(1), Quota.NONE, Client.SERVICE);
      assertEquals(Optional.empty(), other.describe(copy).live().idle());
    }
  }

  @Test
  void aTemplateStaysAndFiltersLikeItExpire() {
    var template = name();
    one.creations.createTemplate(template, SOME, BY_TESTS, Quota.NONE);
    one.test(template, OLD);
    assertEquals(-1, one.redis("PTTL", Keys.state(template)).toLong());
    one.changes.expire(template, NewExpiry.NONE);
    one.changes.expire(template, BY_ADDS);
    one.add(template, OLD);
    assertEquals(-1, one.redis("PTTL", Keys.state(template)).toLong());

    var like = new MissingFilter(template, Optional.empty(), Quota.NONE, true);
    var name = name();
    addLike(name, like);
    assertEquals(BY_ADDS.idle(), one.describe(name).live().idle());
    assertPostponed(name);
    pass(name, MOST);
    addLike(name, like);
    assertPostponed(name);
    expire(name);
    addLike(name, like);
    assertPostponed(name);

    var dated = name();
    addLike(dated, new MissingFilter(template, Optional.of(IDLE), Quota.NONE, true));
    assertEquals(Optional.empty(), one.describe(dated).live().idle());
    assertTrue(one.describe(dated).live().expiresAt().isPresent());
  }

  private static void addLike(FilterName name, MissingFilter like) {
    var added =
        await(other.elements.add(name, OLD, Durability.PRIMARY, Optional.of(like), Client.SERVICE));
    assertEquals(OLD.size(), added.flags().length);
  }

  private static void expire(FilterName name) {
    for (var key : keys(name)) {
      one.redis("DEL", key);
    }
  }

  @Test
  void aFilterThatHasExpiredIsMissing() {
    var name = created(BY_TESTS);
    one.add(name, OLD);
    TIME.updateAndGet(now -> now.plusSeconds(3_600));
    expire(name);
    for (var instance : List.of(one, timed)) {
      assertFails(ErrorCode.FILTER_NOT_FOUND, instance.elements.add(name, OLD));
      assertFails(ErrorCode.FILTER_NOT_FOUND, instance.elements.test(name, OLD, Client.SERVICE));
    }
  }

  @Test
  void manyAddsAtOnceArePostponedTogether() {
    var name = created(BY_ADDS);
    one.add(name, OLD);
    for (var i = 0; i < 20; i++) {
      pass(name, MOST);
      var adds = new ArrayList<CompletableFuture<?>>();
      for (var j = 0; j < 20; j++) {
        var some = elements(i + " " + j + " ", 3);
        var instance = j % 2 == 0 ? one : other;
        adds.add(CompletableFuture.runAsync(() -> instance.add(name, some), one.waiting));
      }
      adds.forEach(InParallel::resultOf);
      assertPostponed(name);
      for (var j = 0; j < 20; j++) {
        one.assertMaybe(name, elements(i + " " + j + " ", 3));
      }
    }
  }

  /** Redis still answers tests when it refuses writes. */
  @Test
  void testsAreAnsweredEvenIfTheExpiryCannotBePostponed() {
    var name = created(BY_TESTS);
    one.add(name, OLD);
    pass(name, MOST);
    one.redis("CONFIG", "SET", "min-replicas-to-write", "1");
    try {
      one.assertMaybe(name, OLD);
      assertFails(ErrorCode.STORE_UNAVAILABLE, one.elements.add(name, NEW));
    } finally {
      one.redis("CONFIG", "SET", "min-replicas-to-write", "0");
    }
    assertNotPostponed(name);
    one.assertMaybe(name, OLD);
    assertPostponed(name);
  }

  @Test
  void anAdoptedFilterCannotExpireWhenIdle() {
    var expiry = TestInstance.inHours(1);
    var name = AnyKind.ADOPTED.create(one, expiry);
    assertFails(ErrorCode.INVALID_REQUEST, () -> one.changes.expire(name, BY_ADDS));
    var found = one.describe(name).live();
    assertEquals(expiry, found.expiresAt());
    assertFalse(found.idle().isPresent());
    assertEquals(Written.NONE, found.written());
  }
}
