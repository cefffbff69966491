package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import org.junit.jupiter.api.Test;

/** A keyed filter, used by instances with its secret, without a secret, and with a new secret. */
@OnRedis
class RotatedSecretTest {

  private static final String OLD = "c3".repeat(32);
  private static final String NEW = "d4".repeat(32);
  private static final FilterParameters KEYED =
      FilterParameters.forElements(
          HashSchemes.named("bloomgate-1-keyed").orElseThrow(), 100, 0.01, WhenFull.ACCEPT);

  private static TestRedis redis;

  @Test
  void onlyTheSecretFindsElements() {
    var name = name();
    Filter old;
    try (var instance = TestInstance.withSecrets(redis, OLD)) {
      old = instance.create(name, KEYED);
      instance.add(name, elements("a", 10));
    }
    try (var instance = TestInstance.withSecrets(redis)) {
      assertFails(ErrorCode.SECRET_MISSING, instance.elements.test(name, elements("a", 10)));
      assertFails(ErrorCode.INVALID_REQUEST, () -> instance.create(name(), KEYED));
    }
    try (var instance = TestInstance.withSecrets(redis, NEW, OLD)) {
      assertEquals(secretId(old), secretId(instance.describe(name).filter()));
      instance.assertMaybe(name, elements("a", 10));
      assertNotEquals(secretId(old), secretId(instance.create(name(), KEYED)));
    }
  }

  private static String secretId(Filter filter) {
    return filter.parameters().hashScheme().keyOrigin().orElseThrow().secretId();
  }
}
