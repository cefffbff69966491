package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;

/** Two instances of the service on one Redis, and a key there for one of them to adopt. */
@OnRedis
abstract class AdoptingInstances {

  static final HashScheme REDISSON = HashSchemes.named("redisson").orElseThrow();
  static final List<byte[]> ELEMENTS = elements("element ", 100);
  static final FilterParameters SHAPE = shape(10_001, 5);

  static TestRedis redis;
  static TestInstance service;
  static TestInstance other;

  final FilterName name = name();
  final String key = "lib of " + name;
  final String config = "{" + key + "}:config";

  static FilterParameters shape(long bits, int hashes) {
    return FilterParameters.forShape(REDISSON, bits, hashes, WhenFull.ACCEPT);
  }

  static CreateOutcome adoption(FilterName name, String key, FilterParameters parameters) {
    return service.adoptions.adopt(
        name, key, REDISSON, Optional.of(parameters), Optional.empty(), Quota.NONE);
  }

  static Filter adopt(FilterName name, String key, FilterParameters parameters) {
    var made = adoption(name, key, parameters);
    assertTrue(made.created());
    return made.description().filter();
  }
}
