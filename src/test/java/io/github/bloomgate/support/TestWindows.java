package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.store.TestStores;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Filters with windows, and a clock for them. */
public final class TestWindows {

  /** So low that a wrong answer is a mistake. */
  private static final double NEVER = 1e-10;

  private TestWindows() {}

  /** A window so long that the clock of Redis begins no slice of it during a test. */
  public static Window years(int slices, boolean refresh) {
    return Window.ofSeconds(Window.MAX_SECONDS, slices, refresh);
  }

  public static FilterParameters sized(long n, Window window) {
    return FilterParameters.windowed(HashSchemes.nativeScheme(), n, NEVER, window);
  }

  /**
   * Lets slices pass: a segment takes the newest slice that was written for the one that it is, if
   * the clock is behind that.
   */
  public static void turn(TestInstance service, FilterName name, long slices) {
    turn(service, service.describe(name).filter(), slices);
  }

  /** Likewise, and looks at nothing else: a description brings journals into bitmaps. */
  public static void turn(TestInstance service, Filter filter, long slices) {
    var millis = filter.window().orElseThrow().sliceMillis();
    for (var segment = 0; segment < filter.segments(); segment++) {
      var state = TestStores.keys(filter, segment).get(0);
      var written = service.redis("HGET", state, "newestSlice");
      var byClock = System.currentTimeMillis() / millis;
      var now = written == null ? byClock : Math.max(byClock, written.toLong());
      service.redis("HSET", state, "newestSlice", Long.toString(now + slices));
    }
  }

  private static String bitsInRings(TestInstance service, Filter filter, String bits) {
    var rings = filter.window().orElseThrow().rings();
    var bytes = filter.shape().segmentBytes() / rings;
    return LongStream.range(0, rings)
        .mapToObj(ring -> bitCount(service, bits, bytes * ring, bytes * (ring + 1) - 1))
        .collect(Collectors.joining(" "));
  }

  private static String bitCount(TestInstance service, String key, long first, long last) {
    return service
        .redis("BITCOUNT", key, Long.toString(first), Long.toString(last))
        .toString();
  }

  /** Law 4: what is counted of bitmaps are their bits, whether they are remembered or not. */
  public static void assertCountsAreExact(TestInstance service, Filter filter) {
    service.fold(filter);
    for (var segment = 0; segment < filter.segments(); segment++) {
      var keys = TestStores.keys(filter, segment);
      assertEquals(
          service.redis("BITCOUNT", keys.get(1)).toLong(),
          service.redis("HGET", keys.get(0), "bitsSet").toLong());
      assertEquals(
          bitsInRings(service, filter, keys.get(1)),
          service.redis("HGET", keys.get(0), "ringBitsSet").toString());
    }
  }
}
