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

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Keyed filters in the hands of instances that know their secret, another one, or none: what is not
 * known is an error and never an answer.
 */
class KeyedFiltersTest extends KeyedInstances {

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
