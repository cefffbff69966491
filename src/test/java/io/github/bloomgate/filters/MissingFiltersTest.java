package io.github.bloomgate.filters;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.NameStore;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters that are created by their first add, like another one. */
@OnRedis
class MissingFiltersTest {

  private static final FilterParameters SHARP = TestInstance.sized(1_000, 1e-9, WhenFull.ACCEPT);
  private static final List<byte[]> SOME = elements("some ", 20);
  private static final int ROUNDS = 20;
  private static final int AT_ONCE = 8;

  private static TestRedis redis;
  private static TestInstance one;
  private static TestInstance other;

  private static Optional<MissingFilter> like(FilterName like) {
    return Optional.of(new MissingFilter(like, Optional.empty(), Quota.NONE, false));
  }

  private static Optional<MissingFilter> like(FilterName like, Quota quota) {
    return Optional.of(new MissingFilter(like, Optional.empty(), quota, true));
  }

  private static int add(
      TestInstance instance,
      FilterName name,
      List<byte[]> elements,
      Optional<MissingFilter> ifMissing) {
    var durability = Durability.PRIMARY;
    return await(instance.elements.add(name, elements, durability, ifMissing, Client.SERVICE))
        .trueCount();
  }

  private static FilterName template() {
    var name = name();
    assertTrue(one.creations.createTemplate(name, SHARP, NewExpiry.NONE, Quota.NONE).created());
    return name;
  }

  @ParameterizedTest
  @EnumSource
  void theFirstAddCreatesAFilterLikeOneOfEveryKind(AnyKind kind) {
    var like = kind.create(one, TestInstance.inHours(1));
    // A growing filter gets more layers.
    one.add(like, elements("content ", 500));
    var original = one.describe(like);
    var name = name();
    if (kind == AnyKind.ADOPTED) {
      assertFails(ErrorCode.INVALID_REQUEST, () -> add(other, name, SOME, like(like)));
      assertFalse(one.exists(name));
      return;
    }
    var lifetime = Duration.ofHours(5);
    var missing = new MissingFilter(like, Optional.of(lifetime), Quota.NONE, false);
    assertEquals(SOME.size(), add(other, name, SOME, Optional.of(missing)));

    one.assertMaybe(name, SOME);
    assertEquals(0, TestInstance.trueCount(one.test(name, elements("content ", 500))));
    var created = one.describe(name);
    assertEquals(original.live().parameters(), created.live().parameters());
    assertEquals(
        FilterPlan.of(original.live().parameters()),
        created.live().plan().openedAt(Optional.empty()));
    assertEquals(SOME.size(), created.statistics().insertions());
    assertFalse(created.live().isTemplate());
    assertFalse(created.live().state().hasSource());
    one.assertExpiry(name, created.live().expiresAt());
    assertEquals(
        created.live().createdAt().plus(lifetime).toEpochMilli(),
        created.live().expiresAt().orElseThrow().toEpochMilli());
    one.assertCountsAreExact(name);
    assertEquals(original.statistics(), one.describe(like).statistics());
  }

  @Test
  void aFilterThatExistsStaysAsItIs() {
    var name = name();
    one.create(name, TestInstance.counting(100));
    var missing = new MissingFilter(name(), Optional.of(Duration.ofHours(1)), Quota.NONE, true);
    assertEquals(SOME.size(), add(other, name, SOME, Optional.of(missing)));
    assertEquals(0, add(other, name, SOME, Optional.of(missing)));
    var found = one.describe(name).live();
    assertTrue(found.isCounting());
    assertEquals(Optional.empty(), found.expiresAt());
  }

  @Test
  void withoutAnotherFilterTheMissingOneIsNotFound() {
    var name = name();
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> add(one, name, SOME, Optional.empty()));
    var gone = name();
    var failure = assertFails(ErrorCode.FILTER_NOT_FOUND, () -> add(one, name, SOME, like(gone)));
    assertTrue(failure.getMessage().contains("'" + gone + "'"), failure.getMessage());
    assertFalse(one.exists(name));
  }

  /** With keys of two owners. Each reserves the name before it creates the filter. */
  @Test
  void filtersThatSeveralInstancesCreateAtOnceHaveAllAdds() {
    var like = template();
    var owners = List.of(new Quota("owner " + name(), 0, 0), new Quota("owner " + name(), 0, 0));
    for (var round = 0; round < ROUNDS; round++) {
      var name = name();
      var added = new AtomicInteger();
      InParallel.atOnce(
          AT_ONCE,
          number -> {
            var instance = number % 2 == 0 ? one : other;
            var missing = like(like, owners.get(number / 2 % 2));
            // Half of the elements of each are also those of the next one.
            var some = elements("e", 10 * (number + 2)).subList(10 * number, 10 * (number + 2));
            added.addAndGet(add(instance, name, some, missing));
          });
      one.assertMaybe(name, elements("e", 10 * (AT_ONCE + 1)));
      assertEquals(10 * (AT_ONCE + 1), added.get(), "added once");
      assertEquals(added.get(), one.describe(name).statistics().insertions());
      one.assertCountsAreExact(name);
      one.changes.delete(name, false);
    }
  }

  /** While an instance creates a filter, its reservation refuses keys of other owners. */
  @Test
  void anAddWaitsForAnotherKeyThatCreatesTheFilter() {
    var like = template();
    var others = like(like, new Quota("owner " + name(), 0, 0));

    var name = name();
    reserve(name, like, Duration.ofMillis(100));
    assertEquals(SOME.size(), add(other, name, SOME, others));
    one.assertMaybe(name, SOME);

    var reserved = name();
    reserve(reserved, like, Duration.ofHours(1));
    assertFails(ErrorCode.FILTER_CHANGED, () -> add(other, reserved, SOME, others));
    assertFalse(one.exists(reserved));
  }

  private static void reserve(FilterName name, FilterName like, Duration time) {
    var ledger =
        new Ledger(one.get(NameStore.class), one.live, its -> Quota.NONE, time, Quota.NONE);
    var missing = like(like, new Quota("owner " + name(), 0, 0)).orElseThrow();
    var planned =
        one.creations.planned(name, one.live.get(like).live(), missing, Instant.now()).live();
    assertTrue(ledger.enter(planned, missing.quota()).isPresent());
  }

  @Test
  void aKeyCreatesFiltersUpToItsQuota() {
    var like = template();
    var quota = new Quota("owner " + name(), 1, 0);
    var name = name();
    assertEquals(SOME.size(), add(one, name, SOME, like(like, quota)));
    var refused = name();
    assertFails(ErrorCode.LIMIT_EXCEEDED, () -> add(other, refused, SOME, like(like, quota)));
    assertEquals(List.of(), one.keysWith(refused.value()));
    assertEquals(0, add(other, name, SOME, like(like, quota)));
    one.changes.delete(name, false);
    assertEquals(SOME.size(), add(other, refused, SOME, like(like, quota)));
  }

  @Test
  void onlyATemplateMayBeUsedByAKeyThatOnlyAdds() {
    var like = name();
    one.create(like, SHARP);
    var name = name();
    assertFails(ErrorCode.FORBIDDEN, () -> add(other, name, SOME, like(like, Quota.NONE)));
    assertFalse(one.exists(name));
    one.changes.delete(like, false);
    one.creations.createTemplate(like, SHARP, NewExpiry.NONE, Quota.NONE);
    assertEquals(SOME.size(), add(other, name, SOME, like(like, Quota.NONE)));
  }

  @Test
  void aTemplateStaysOneUntilItIsDeletedAndItsCopyIsNone() {
    var like = template();
    assertTrue(other.describe(like).live().isTemplate());
    one.changes.clear(like);
    assertTrue(other.describe(like).live().isTemplate());
    TestInstance.openNext(one, like);
    other.rebuild(like).commit(0, NewExpiry.KEEP);
    assertTrue(other.describe(like).live().isTemplate());
    one.changes.expire(like, NewExpiry.of(TestInstance.inHours(1)));
    var renamed = name();
    one.renames.rename(like, renamed, false);
    assertTrue(one.describe(renamed).live().isTemplate());
    assertTrue(other.describe(renamed).live().isTemplate());
    var copy = name();
    one.copies.copy(renamed, copy, false, Optional.empty(), Quota.NONE, Client.SERVICE);
    assertFalse(other.describe(copy).live().isTemplate());
    assertTrue(one.creations.create(copy, SHARP, NewExpiry.NONE, Quota.NONE).description() != null);
    assertFails(
        ErrorCode.FILTER_EXISTS,
        () -> one.creations.createTemplate(copy, SHARP, NewExpiry.NONE, Quota.NONE));
  }

  @Test
  void theParametersAreThoseOfTheLastRebuild() {
    var like = template();
    other.live.get(like);
    var larger = new Plain(WhenFull.REJECT).parameters(HashSchemes.nativeScheme(), 5_000, 1e-9);
    one.rebuilds.open(like, live -> larger, TestInstance.MAX_WAIT);
    one.rebuild(like).commit(0, NewExpiry.KEEP);
    var name = name();
    add(other, name, SOME, like(like));
    assertEquals(larger, one.describe(name).live().parameters());
  }

  @Test
  void aFilterLikeAKeyedOneHasAKeyOfItsOwn() {
    try (var keyed = TestInstance.withSecrets(redis, "0123456789abcdef".repeat(4))) {
      var scheme = HashSchemes.named("bloomgate-1-keyed").orElseThrow();
      var parameters = new Plain(WhenFull.ACCEPT).parameters(scheme, 1_000, 1e-9);
      var like = name();
      var origin = keyed.create(like, parameters).scheme().keyOrigin().orElseThrow();
      var name = name();
      assertEquals(SOME.size(), add(keyed, name, SOME, like(like)));
      keyed.assertMaybe(name, SOME);
      var created = keyed.describe(name).live().scheme().keyOrigin().orElseThrow();
      assertEquals(origin.secretId(), created.secretId());
      assertNotEquals(origin.salt(), created.salt());
      // This instance has no secret.
      assertFails(ErrorCode.INVALID_REQUEST, () -> add(one, name(), SOME, like(like)));
    }
  }

  @Test
  void elementsThatTheFilterCannotTakeCreateNone() {
    var like = name();
    var ofTexts = HashSchemes.named("scrapy-redis-bloomfilter").orElseThrow();
    one.create(like, FilterParameters.forShape(ofTexts, 1 << 16, 6, WhenFull.ACCEPT));
    var noText = List.of(new byte[] {(byte) 0xff});
    var name = name();
    assertFails(ErrorCode.INVALID_REQUEST, () -> add(one, name, noText, like(like)));
    assertFalse(one.exists(name));
    assertEquals(SOME.size(), add(one, name, SOME, like(like)));
  }

  @Test
  void theFirstBatchOfAStreamCreatesTheFilter() {
    var like = template();
    var name = name();
    var stream =
        new LongAdd(one.elements, one.live, name, Durability.PRIMARY, like(like), Client.SERVICE);
    assertEquals(SOME.size(), await(stream.apply(SOME)).trueCount());
    assertEquals(0, await(stream.apply(SOME)).trueCount());
    stream.acknowledge();
    other.assertMaybe(name, SOME);

    other.changes.delete(name, false);
    // The filter is created again without the first lines.
    assertFails(ErrorCode.FILTER_CHANGED, stream.apply(elements("later ", 5)));
    other.assertMaybe(name, elements("later ", 5));
  }

  /** The first attempt said only that the filter, which was just deleted, is not there. */
  @Test
  void theFailureOfASecondCreationIsReported() {
    var like = template();
    var quota = new Quota("owner " + name(), 1, 0);
    var deleted = name();
    assertEquals(SOME.size(), add(other, deleted, SOME, like(like, quota)));
    one.changes.delete(deleted, false);
    add(one, name(), SOME, like(like, quota));
    // This instance still remembers the filter, so it does not create it before the first attempt.
    assertFails(
        ErrorCode.LIMIT_EXCEEDED,
        other.elements.addToAll(
            List.of(deleted), SOME, Durability.PRIMARY, like(like, quota), Client.SERVICE));
  }

  @Test
  void severalFiltersAreCreatedTogether() {
    var like = template();
    var existing = name();
    one.create(existing, SHARP);
    var outdated = name();
    one.create(outdated, SHARP);
    other.assertMaybe(outdated, List.of());
    other.live.get(outdated);
    one.changes.delete(outdated, false);
    var names = List.of(name(), existing, name(), outdated);
    var added =
        await(other.elements.addToAll(names, SOME, Durability.PRIMARY, like(like), Client.SERVICE));
    assertEquals(names, List.copyOf(added.keySet()));
    added.values().forEach(flags -> assertEquals(SOME.size(), flags.trueCount()));
    names.forEach(name -> one.assertMaybe(name, SOME));

    var quota = new Quota("owner " + name(), 1, 0);
    var more = List.of(existing, name(), name());
    assertFails(
        ErrorCode.LIMIT_EXCEEDED,
        other.elements.addToAll(
            more, elements("more ", 5), Durability.PRIMARY, like(like, quota), Client.SERVICE));
    assertEquals(0, TestInstance.trueCount(one.test(existing, elements("more ", 5))));
    assertFalse(one.exists(more.get(2)));
    assertFails(
        ErrorCode.FILTER_NOT_FOUND,
        other.elements.addToAll(
            List.of(existing, name()),
            elements("more ", 5),
            Durability.PRIMARY,
            Optional.empty(),
            Client.SERVICE));
  }
}
