package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.SlotKeys;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An instance, with assertions of the laws for its filters. */
abstract class CheckedInstance extends InstanceServices {

  /** Expiries in tests are hours in the future and hours apart, so no delay matters. */
  private static final long TOLERANCE = Duration.ofMinutes(10).toMillis();

  /** The Redis of the instance, or a node of its cluster. */
  final TestRedis redis;

  CheckedInstance(TestRedis redis, InstanceSettings settings) {
    super(settings);
    this.redis = redis;
  }

  public Description describe(FilterName name) {
    return descriptions.describe(name);
  }

  /** Whether there is a filter, by its key. */
  public boolean exists(FilterName name) {
    return redis("EXISTS", SlotKeys.state(name)).toInteger() == 1;
  }

  /** Whether Redis answers requests for a filter. Throws if it does not. */
  public boolean answers(FilterName name) {
    var unused = TestInstance.await(get(FilterStore.class).find(name, false, List.of()));
    return true;
  }

  /** Folds all journals. */
  public void fold() {
    TestInstance.await(rounds.restAll());
  }

  /** Law 4: the counts match the bitmaps with their journals. */
  public void assertCountsAreExact(FilterName name) {
    var description = describe(name);
    var filter = description.filter();
    if (filter.isRaw()) {
      return;
    }
    var bits = 0L;
    for (var layer : filter.layers()) {
      var format = filter.parameters().segmentFormat(layer);
      for (var i = layer.firstSegment(); i < layer.endSegment(); i++) {
        var string = redis("GET", segmentKey(filter, i));
        if (string != null) {
          var bitmap = SegmentCopy.read(format, string.toBytes()).bitmap();
          var places = filter.isCounting() ? Counters.toBits(bitmap) : bitmap;
          bits += BitCount.of(places, 0, places.length);
        }
      }
    }
    if (filter.window().isEmpty()) {
      assertEquals(bits, description.statistics().bitsSet());
    }
  }

  /** The key of a segment. */
  public static String segmentKey(Filter filter, int segment) {
    return SlotKeys.segment(filter.content(), segment);
  }

  /** Law 6: all keys of a filter share one expiry, or have none. */
  public void assertDeadline(FilterName name, Optional<Instant> expected) {
    var filter = describe(name).filter();
    assertEquals(expected, filter.expiresAt());
    var keys = new ArrayList<>(keysWith(filter.content().incarnation()));
    keys.add(SlotKeys.state(name));
    for (var key : keys) {
      var left = redis("PTTL", key).toLong();
      if (expected.isEmpty()) {
        assertEquals(-1, left, key);
      } else {
        var off = System.currentTimeMillis() + left - expected.get().toEpochMilli();
        assertTrue(left >= 0 && Math.abs(off) < TOLERANCE, key + " has " + left + " ms left");
      }
    }
  }

  /** Expires a filter by deleting all its keys with an expiry. */
  public void passDeadline(Filter... generations) {
    for (var filter : generations) {
      var keys = new ArrayList<>(keysWith(filter.name().value() + "}"));
      keys.addAll(keysWith(filter.content().incarnation()));
      for (var key : keys) {
        if (redis("PTTL", key).toLong() >= 0) {
          redis("PEXPIREAT", key, "1");
        }
      }
    }
  }

  /** Keys whose names contain a text, except dropped content, which expires. */
  public List<String> keysWith(String text) {
    var found = new ArrayList<String>();
    var cursor = "0";
    do {
      var page = redis("SCAN", cursor, "MATCH", "*" + text + "*", "COUNT", "1000");
      cursor = page.get(0).toString();
      for (var key : page.get(1)) {
        if (!isDropped(key.toString()) && redis("EXISTS", key.toString()).toInteger() == 1) {
          found.add(key.toString());
        }
      }
    } while (!cursor.equals("0"));
    return found;
  }

  private boolean isDropped(String key) {
    var left = redis("PTTL", key).toLong();
    return left > 0 && left <= 60_000;
  }

  /** Law 6: nothing of the filter is left. */
  public void assertNothingLeft(Filter filter) {
    var incarnation = filter.content().incarnation();
    assertEquals(List.of(), keysWith(incarnation), "segments of " + filter.name());
    assertEquals(List.of(), keysWith(filter.name().value()), "keys of " + filter.name());
    assertEquals(null, redis("ZSCORE", "bloom:{=names}", filter.name().value()));
  }

  public Response redis(String command, String... arguments) {
    return redis.command(command, arguments);
  }
}
