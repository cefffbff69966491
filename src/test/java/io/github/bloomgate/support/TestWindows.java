package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.store.TestStores;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Filters with windows, and a clock for them. */
public final class TestWindows {

  /** Of slices of a second, of which some begin during a test, and none is forgotten so soon. */
  public static final Window MINUTE = Window.ofSeconds(64, 64, true);

  /** So low that a wrong answer is a mistake. */
  private static final double NEVER = 1e-10;

  private static final String TURN =
      """
      for _, state in ipairs(KEYS) do
        local window = redis.call('HGET', state, 'window')
        if window then
          local time = redis.call('TIME')
          local millis = tonumber(string.match(window, '^%d+ %d+ %d+ (%d+)'))
          local now = math.floor((1000 * time[1] + math.floor(time[2] / 1000)) / millis)
          local newest = tonumber(redis.call('HGET', state, 'newestSlice') or 0)
          redis.call('HSET', state, 'newestSlice', math.max(now, newest) + ARGV[1])
        end
      end
      return redis.call('EXISTS', KEYS[1])
      """;

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
    for (var segment = 0; segment < filter.segments(); segment++) {
      turn(service::redis, slices, TestStores.keys(filter, segment).subList(0, 1));
    }
  }

  /** Likewise, of a filter on a cluster. */
  public static void turn(TestCluster cluster, Filter filter, long slices) {
    for (var segment = 0; segment < filter.segments(); segment++) {
      var state = TestStores.keys(filter, segment).get(0);
      turn(cluster.owner(state)::command, slices, List.of(state));
    }
  }

  /**
   * Lets one slice pass of a filter of one segment and of what a rebuild of it loads, in one step.
   *
   * @return whether there is the filter
   */
  public static boolean turn(TestInstance service, FilterName name) {
    return turn(
        service::redis, 1, List.of(TestStores.keys(name).get(0), TestStores.nextKeys(name).get(0)));
  }

  private static boolean turn(
      BiFunction<String, String[], Response> redis, long slices, List<String> states) {
    var arguments = new ArrayList<>(List.of(TURN, Integer.toString(states.size())));
    arguments.addAll(states);
    arguments.add(Long.toString(slices));
    return redis.apply("EVAL", arguments.toArray(String[]::new)).toInteger() == 1;
  }

  /** The second that it is by the clock of Redis, with which a slice of {@link #MINUTE} begins. */
  public static long now(TestInstance service) {
    return service.redis("TIME").get(0).toLong();
  }

  private static String bitsInRings(TestInstance service, Filter filter, String bits) {
    var rings = filter.window().orElseThrow().rings();
    var bytes = filter.shape().segmentBytes() / rings;
    return LongStream.range(0, rings)
        .mapToObj(ring -> bitCount(service, bits, bytes * ring, bytes * (ring + 1) - 1))
        .collect(Collectors.joining(" "));
  }

  private static String noted(TestInstance service, Filter filter, String state) {
    var noted = service.redis("HGET", state, "ringBitsSet");
    return noted == null
        ? "0" + " 0".repeat(filter.window().orElseThrow().slices())
        : noted.toString();
  }

  private static String bitCount(TestInstance service, String key, long first, long last) {
    return service.redis("BITCOUNT", key, Long.toString(first), Long.toString(last)).toString();
  }

  /** Law 4: what is counted of bitmaps are their bits, whether they are remembered or not. */
  public static void assertCountsAreExact(TestInstance service, Filter filter) {
    service.fold(filter);
    for (var segment = 0; segment < filter.segments(); segment++) {
      var keys = TestStores.keys(filter, segment);
      assertEquals(
          service.redis("BITCOUNT", keys.get(1)).toLong(),
          service.redis("HGET", keys.get(0), "bitsSet").toLong());
      assertEquals(bitsInRings(service, filter, keys.get(1)), noted(service, filter, keys.get(0)));
    }
  }
}
