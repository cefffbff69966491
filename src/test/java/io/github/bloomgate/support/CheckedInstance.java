package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An instance, and what the laws say of its filters. */
abstract class CheckedInstance extends InstanceServices {

  private static final String USAGE = "bloom:{=usage}:";

  /** Deadlines in tests are hours from now and from each other, so no delay matters. */
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

  /** Has all that is journaled of a filter in its bitmaps. */
  public void fold(Filter filter) {
    for (var segment = 0; segment < filter.segments(); segment++) {
      TestInstance.await(stores.journals().replay(filter, segment, true));
    }
  }

  /** Law 4: the counts are those of the bitmaps. */
  public void assertCountsAreExact(FilterName name) {
    var description = describe(name);
    var filter = description.filter();
    if (filter.window().isPresent()) {
      TestWindows.assertCountsAreExact((TestInstance) this, filter);
      return;
    }
    if (filter.isCounting()) {
      TestCounters.assertCountsAreExact((TestInstance) this, filter);
      return;
    }
    var bits = 0L;
    fold(filter);
    for (var segment = 0; segment < filter.segments(); segment++) {
      bits += redis("BITCOUNT", TestStores.keys(filter, segment).get(1)).toLong();
    }
    assertEquals(bits, description.statistics().bitsSet());
  }

  /** Law 6: all keys of a filter have the same deadline, or none. */
  public void assertDeadline(FilterName name, Optional<Instant> expected) {
    var filter = describe(name).filter();
    assertEquals(expected, filter.expiresAt());
    var keys = new ArrayList<>(TestStores.keys(name));
    for (var segment = 1; segment < filter.segments(); segment++) {
      keys.addAll(TestStores.keys(filter, segment));
    }
    if (filter.segments() == 1) {
      assertEquals(0, redis("EXISTS", keys.remove(2)).toInteger());
    }
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

  /** Lets the deadline of a filter pass: all its keys that have one vanish. */
  public void passDeadline(Filter... generations) {
    for (var filter : generations) {
      var keys = new ArrayList<>(keysWith(filter.name().value() + "}"));
      keys.addAll(keysWith(filter.generation().incarnation()));
      for (var key : keys) {
        if (redis("PTTL", key).toLong() >= 0) {
          redis("PEXPIREAT", key, "1");
        }
      }
    }
  }

  /**
   * Keys whose names contain a text; marks of freed segments, which go by themselves, left out,
   * also if they go at this very moment, and the totals of usage, which belong to no filter.
   */
  public List<String> keysWith(String text) {
    var found = new ArrayList<String>();
    var cursor = "0";
    do {
      var page = redis("SCAN", cursor, "MATCH", "*" + text + "*", "COUNT", "1000");
      cursor = page.get(0).toString();
      for (var key : page.get(1)) {
        if (!isMark(key.toString())
            && !key.toString().startsWith(USAGE)
            && redis("EXISTS", key.toString()).toInteger() == 1) {
          found.add(key.toString());
        }
      }
    } while (!cursor.equals("0"));
    return found;
  }

  private boolean isMark(String key) {
    if (!redis("TYPE", key).toString().equals("hash")) {
      return false;
    }
    var generation = redis("HGET", key, "generation");
    var left = redis("PTTL", key).toLong();
    return generation != null
        && generation.toString().equals("freed")
        && left > 0
        && left <= 60_000;
  }

  /** Law 6: nothing of the filter is left, and nothing is left to be done. */
  public void assertNothingLeft(Filter filter) {
    var incarnation = filter.generation().incarnation();
    assertEquals(List.of(), keysWith(incarnation), "segments of " + filter.name());
    assertEquals(List.of(), keysWith(filter.name().value()), "keys of " + filter.name());
    assertReconciled(filter.name());
    assertEquals(null, redis("ZSCORE", TestStores.catalogueKey(), filter.name().value()));
  }

  public void assertReconciled(FilterName name) {
    assertEquals(null, redis("ZSCORE", TestStores.unsettledKey(), name.value()));
  }

  public Response redis(String command, String... arguments) {
    return redis.command(command, arguments);
  }
}
