package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.PATIENCE;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Keyed filters in the hands of instances that know their secret, another one, or none: what is not
 * known is an error and never an answer.
 */
class KeyedFiltersTest {

  private static final String FIRST = "a1".repeat(32);
  private static final String SECOND = "b2".repeat(32);
  private static final List<byte[]> SOME = elements("some", 50);
  private static final List<byte[]> OTHERS = elements("others", 50);

  private static TestRedis redis;

  /** Knows the first secret. */
  private static TestInstance knowing;

  /** The same service after a rotation: the second secret is for new filters. */
  private static TestInstance rotated;

  private static TestInstance ofOther;
  private static TestInstance ofNone;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    knowing = TestInstance.withSecrets(redis, FIRST);
    rotated = TestInstance.withSecrets(redis, SECOND, FIRST);
    ofOther = TestInstance.withSecrets(redis, SECOND);
    ofNone = TestInstance.withSecrets(redis);
  }

  @AfterAll
  static void stop() {
    for (var instance : List.of(knowing, rotated, ofOther, ofNone)) {
      instance.close();
    }
    redis.close();
  }

  private static FilterParameters keyed() {
    return FilterParameters.forElements(
        HashSchemes.named("bloomgate-1-keyed").orElseThrow(), 1000, 1e-9, WhenFull.ACCEPT);
  }

  private static FilterParameters plain() {
    return TestInstance.sized(1000, 1e-9, WhenFull.ACCEPT);
  }

  private static Filter filled() {
    var filter = knowing.create(name(), keyed());
    knowing.add(filter.name(), SOME);
    return filter;
  }

  private static KeyOrigin origin(FilterName name) {
    return ofNone.describe(name).filter().parameters().hashScheme().keyOrigin().orElseThrow();
  }

  private static void assertHolds(TestInstance instance, FilterName name) {
    instance.assertMaybe(name, SOME);
    assertEquals(0, await(instance.elements.test(name, OTHERS)).trueCount());
  }

  private static String bits(FilterName name) {
    return redis.command("GET", TestStores.keys(name).get(1)).toString();
  }

  @Test
  void whoeverKnowsTheSecretReadsAndWrites() {
    var name = filled().name();
    for (var instance : List.of(knowing, rotated)) {
      assertHolds(instance, name);
      assertFalse(instance.add(name, SOME)[0]);
    }
    assertTrue(rotated.add(name, OTHERS)[0]);
    knowing.assertMaybe(name, OTHERS);
    knowing.assertCountsAreExact(name);
  }

  @Test
  void whoeverDoesNotKnowItRefusesEveryElement() {
    var name = filled().name();
    var before = bits(name);
    for (var instance : List.of(ofOther, ofNone)) {
      for (var few : List.of(SOME, OTHERS, SOME.subList(0, 1), elements("many", 20_000))) {
        assertFails(ErrorCode.SECRET_MISSING, () -> instance.test(name, few));
        assertFails(ErrorCode.SECRET_MISSING, () -> instance.add(name, few));
      }
      assertFails(
          ErrorCode.SECRET_MISSING, () -> instance.openings.open(name, same -> same, PATIENCE));
      assertFails(
          ErrorCode.SECRET_MISSING,
          () ->
              instance.copies.copy(
                  name, name(), false, Optional.empty(), Quota.NONE, TestInstance.STAYS));
    }
    assertEquals(before, bits(name));
  }

  @Test
  void whatNeedsNoKeyIsDoneWithoutIt() {
    var name = filled().name();
    assertEquals(1, ofNone.describe(name).filter().generation().number());
    var to = name();
    ofNone.renames.rename(name, to, false);
    assertHolds(knowing, to);
    ofNone.changes.clear(to);
    assertEquals(0, await(knowing.elements.test(to, SOME)).trueCount());
    var renamed = ofNone.describe(to).filter();
    ofNone.changes.delete(to, false);
    knowing.assertNothingLeft(renamed);
  }

  @Test
  void newFiltersAreKeyedWithTheFirstSecretAndASaltOfTheirOwn() {
    var old = filled().name();
    var one = rotated.create(name(), keyed()).name();
    var two = rotated.create(name(), keyed()).name();
    assertEquals(origin(one).secretId(), origin(two).secretId());
    assertNotEquals(origin(one).salt(), origin(two).salt());
    assertNotEquals(origin(one).secretId(), origin(old).secretId());

    rotated.add(one, SOME);
    rotated.add(two, SOME);
    var unkeyed = rotated.create(name(), plain()).name();
    rotated.add(unkeyed, SOME);
    assertEquals(
        4, List.of(bits(old), bits(one), bits(two), bits(unkeyed)).stream().distinct().count());
  }

  @Test
  void withoutSecretNoKeyedFilterIsMade() {
    var name = name();
    var refused =
        assertThrows(
            BloomException.class,
            () -> ofNone.creations.create(name, keyed(), Optional.empty(), Quota.NONE));
    assertEquals(ErrorCode.INVALID_REQUEST, refused.code());
    assertTrue(refused.getMessage().contains("BLOOMGATE_SECURITY_HASH_SECRET"));
    assertEquals(List.of(), ofNone.keysWith(name.value()));

    var plain = ofNone.create(name(), plain()).name();
    assertFails(
        ErrorCode.INVALID_REQUEST, () -> ofNone.openings.open(plain, live -> keyed(), PATIENCE));
  }

  @Test
  void creatingAgainFindsAFilterOfAnyKnownSecret() {
    var name = filled().name();
    for (var instance : List.of(knowing, rotated)) {
      assertFalse(instance.creations.create(name, keyed(), Optional.empty(), Quota.NONE).created());
    }
    assertFails(
        ErrorCode.SECRET_MISSING,
        () -> ofOther.creations.create(name, keyed(), Optional.empty(), Quota.NONE));
    assertFails(
        ErrorCode.FILTER_EXISTS,
        () -> knowing.creations.create(name, plain(), Optional.empty(), Quota.NONE));
    assertHolds(knowing, name);
  }

  @Test
  void aRebuildKeysAPlainFilterAndTakesAnotherToTheNewSecret() {
    var name = rotated.create(name(), plain()).name();
    rotated.add(name, SOME);
    var before = bits(name);
    replace(name, keyed());
    assertHolds(rotated, name);
    assertNotEquals(before, bits(name));

    var old = filled().name();
    var salt = origin(old);
    replace(old, null);
    assertEquals(salt, origin(old), "a rebuild that names no scheme keeps the key");
    assertHolds(knowing, old);
    replace(old, keyed());
    assertNotEquals(salt.secretId(), origin(old).secretId());
    assertHolds(ofOther, old);
    assertFails(ErrorCode.SECRET_MISSING, () -> knowing.test(old, SOME));
  }

  @Test
  void addsDuringARebuildGoToBothKeys() {
    var name = filled().name();
    var next = rotated.openings.open(name, live -> keyed(), PATIENCE);
    rotated.add(name, OTHERS);
    await(rotated.loads.load(next, SOME));
    assertFails(ErrorCode.SECRET_MISSING, () -> knowing.add(name, elements("late", 1)));
    rotated.rebuilds.commit(next, 1, NewDeadline.KEEP);
    ofOther.assertMaybe(name, SOME);
    ofOther.assertMaybe(name, OTHERS);
  }

  private static void replace(FilterName name, FilterParameters parameters) {
    var next =
        rotated.openings.open(name, live -> parameters == null ? live : parameters, PATIENCE);
    await(rotated.loads.load(next, SOME));
    rotated.rebuilds.commit(next, 1, NewDeadline.KEEP);
  }

  @Test
  void copiesKeepTheKeyAndOnlyTheyCanBeMerged() {
    var name = filled().name();
    var copy = name();
    knowing.copies.copy(name, copy, false, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    assertEquals(origin(name), origin(copy));
    assertHolds(knowing, copy);

    knowing.add(copy, OTHERS);
    knowing.merges.merge(name, List.of(copy), OptionalDouble.empty(), TestInstance.STAYS);
    knowing.assertMaybe(name, OTHERS);

    var stranger = filled().name();
    assertFails(
        ErrorCode.INCOMPATIBLE_FILTERS,
        () ->
            knowing.merges.merge(
                name, List.of(stranger), OptionalDouble.empty(), TestInstance.STAYS));
    var unkeyed = knowing.create(name(), plain()).name();
    assertFails(
        ErrorCode.INCOMPATIBLE_FILTERS,
        () ->
            knowing.merges.merge(
                unkeyed, List.of(name), OptionalDouble.empty(), TestInstance.STAYS));
  }

  @Test
  void aFileCarriesTheKeyToWhoeverKnowsTheSecret() throws IOException {
    var filter = filled();
    var file = new ByteArrayOutputStream();
    ofNone.exports.begin(filter.name(), FileFormat.BLOOMGATE).writeTo(file);
    assertFails(
        ErrorCode.INVALID_REQUEST,
        () -> knowing.exports.begin(filter.name(), FileFormat.REDIS_BITMAP));

    var imported = name();
    load(rotated, imported, file);
    assertEquals(origin(filter.name()), origin(imported));
    assertHolds(knowing, imported);

    for (var instance : List.of(ofOther, ofNone)) {
      var name = name();
      var refused = assertThrows(BloomException.class, () -> load(instance, name, file));
      assertEquals(ErrorCode.SECRET_MISSING, refused.code());
      assertEquals(List.of(), knowing.keysWith(name.value()));
    }
  }

  private static void load(TestInstance instance, FilterName name, ByteArrayOutputStream file) {
    instance.imports.load(
        name,
        FileDescription.of(FileFormat.BLOOMGATE),
        new ByteArrayInputStream(file.toByteArray()),
        Quota.NONE);
  }

  @Test
  void severalSegmentsAndLargeBatchesUseTheKeyToo() {
    var parameters = FilterParameters.forShape(keyed().hashScheme(), 3L << 24, 7, WhenFull.ACCEPT);
    var name = knowing.create(name(), parameters).name();
    var many = elements("many", 30_000);
    knowing.add(name, many);
    rotated.assertMaybe(name, many);
    knowing.assertCountsAreExact(name);
    assertFails(ErrorCode.SECRET_MISSING, () -> ofOther.test(name, many));
  }

  @Test
  void aMalformedOriginIsADamage() {
    for (var field : List.of("hashSalt", "hashSecretId")) {
      var name = filled().name();
      redis.command("HSET", TestStores.keys(name).get(0), field, "x");
      assertFails(ErrorCode.FILTER_DAMAGED, () -> ofNone.test(name, SOME));
      redis.command("HDEL", TestStores.keys(name).get(0), field);
      assertFails(ErrorCode.FILTER_DAMAGED, () -> ofNone.test(name, SOME));
    }
  }
}
