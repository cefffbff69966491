package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.store.TestStores;

/** Filters that count. */
public final class TestCounters {

  /** So low that a wrong answer is a mistake. */
  private static final double NEVER = 1e-10;

  private TestCounters() {}

  public static FilterParameters counting(long n) {
    return counting(n, NEVER, WhenFull.ACCEPT);
  }

  public static FilterParameters counting(long n, double p, WhenFull whenFull) {
    return FilterParameters.counting(HashSchemes.nativeScheme(), n, p, whenFull);
  }

  /** Law 4: what is counted of counters is what they are. */
  public static void assertCountsAreExact(TestInstance service, Filter filter) {
    service.fold(filter);
    for (var segment = 0; segment < filter.segments(); segment++) {
      var keys = TestStores.keys(filter, segment);
      var above0 = 0;
      var full = 0;
      var bytes = service.redis("GET", keys.get(1)).toBytes();
      for (var both : bytes) {
        for (var counter : new int[] {both >> 4 & 15, both & 15}) {
          above0 += counter > 0 ? 1 : 0;
          full += counter == 15 ? 1 : 0;
        }
      }
      assertEquals(
          service.redis("BITCOUNT", keys.get(1)).toLong(), field(service, keys.get(0), "bitsSet"));
      assertEquals(above0, field(service, keys.get(0), "countersAbove0"));
      assertEquals(full, field(service, keys.get(0), "countersFull"));
    }
  }

  private static long field(TestInstance service, String state, String name) {
    var value = service.redis("HGET", state, name);
    return value == null ? 0 : value.toLong();
  }
}
