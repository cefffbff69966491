package io.github.bloomgate.files;

import static io.github.bloomgate.support.TestCounters.counting;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.name;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** A filter that counts, used by two instances. */
@OnRedis
abstract class CountedOnRedis {

  static TestRedis redis;
  static TestInstance service;
  @OnRedis.Special static TestInstance other;

  @BeforeAll
  static void start() {
    other = TestInstance.withoutCopies(redis);
  }

  /** With a twice, b once, c added and removed, and one above the counters' limit. */
  static FilterName filled(long n) {
    var name = service.create(name(), counting(n)).name();
    service.add(name, List.of(element("a"), element("b"), element("a"), element("c")));
    service.add(name, Collections.nCopies(20, element("often")));
    service.remove(name, List.of(element("c")));
    return name;
  }

  static byte[] counts(FilterName name) {
    return service.count(name, List.of(element("a"), element("b"), element("c"), element("often")));
  }
}
