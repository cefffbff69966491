package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.PATIENCE;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the service holds of a segment tells nothing of another history of it, which may have the
 * same generation and as many bits set, behind the same connection.
 */
class LineageLawsTest {

  private static final FilterParameters KIND = shape(16_000_000, 7);
  private static final int FEW = 22;

  /** Enough to be added as a bitmap. */
  private static final int MANY = 3_000;

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance other;

  private final FilterName name = name();
  private final BitSet used = new BitSet();

  /** Elements that have no bit in common, so that equally many set equally many bits. */
  private final List<byte[]> before = fresh("before", FEW);

  private final List<byte[]> here = fresh("here", FEW);
  private final List<byte[]> there = fresh("there", FEW);
  private final List<byte[]> manyHere = fresh("many here", MANY);
  private final List<byte[]> manyThere = fresh("many there", MANY);

  private List<String> keys;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    service.close();
    other.close();
    redis.close();
  }

  @BeforeEach
  void create() {
    keys = TestStores.keys(service.create(name, KIND), 0);
    service.add(name, before);
  }

  @Test
  void aReplicaOfAnotherPrimaryIsNotTakenForWhatItWas() {
    try (var first = TestRedis.started();
        var second = TestRedis.started();
        var here = new TestInstance(first);
        var there = new TestInstance(second)) {
      var filter = here.create(name, KIND);
      here.add(name, before);
      replicate(second, first);
      addAll(here, this.here, manyHere);
      addAll(there, this.there, manyThere);
      warm(here, name, this.here);
      assertSameCounts(first, second);
      replicate(first, second);
      assertThereOnly(here, filter);
    }
  }

  private static void replicate(TestRedis replica, TestRedis primary) {
    replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> replica.command("INFO", "replication").toString().contains("link_status:up"));
    primary.awaitReplicatedBy(replica);
    replica.command("REPLICAOF", "NO", "ONE");
  }

  private void assertSameCounts(TestRedis first, TestRedis second) {
    for (var field : List.of("generation", "bitsSet")) {
      assertEquals(
          first.command("HGET", keys.get(0), field).toString(),
          second.command("HGET", keys.get(0), field).toString());
    }
  }

  @Test
  void anotherDatabaseIsNotTakenForTheOneThatWasThere() {
    for (var key : keys) {
      redis.command("COPY", key, key, "DB", "1");
    }
    addAll(service, here, manyHere);
    warm(service, name, here);
    redis.command("SWAPDB", "0", "1");
    try {
      addAll(other, there, manyThere);
      assertThereOnly(service, service.describe(name).filter());
    } finally {
      redis.command("SWAPDB", "0", "1");
    }
  }

  @Test
  void aRestoredBackupIsNotTakenForWhatItReplaced() {
    for (var key : keys) {
      redis.command("COPY", key, "backup:" + key);
    }
    addAll(service, here, manyHere);
    warm(service, name, here);
    for (var key : keys) {
      redis.command("COPY", "backup:" + key, key, "REPLACE");
    }
    addAll(other, there, manyThere);
    assertThereOnly(service, service.describe(name).filter());
  }

  @Test
  void filtersOfOneGenerationShareNoCopy() {
    var twin = name();
    var twinKeys = TestStores.keys(twin);
    for (var i = 0; i < keys.size(); i++) {
      redis.command("COPY", keys.get(i), twinKeys.get(i));
    }
    addAll(service, here, manyHere);
    warm(service, name, here);
    addAll(other, twin, there, manyThere);
    assertThereOnly(service, other.describe(twin).filter());
    service.assertMaybe(name, here);
    service.assertMaybe(name, manyHere);
  }

  private void addAll(TestInstance by, List<byte[]> few, List<byte[]> many) {
    addAll(by, name, few, many);
  }

  private static void addAll(TestInstance by, FilterName to, List<byte[]> few, List<byte[]> many) {
    by.add(to, many);
    by.add(to, few);
  }

  /** What was added to the one history is not in the other, and can be added to it. */
  private void assertThereOnly(TestInstance instance, Filter filter) {
    var now = filter.name();
    for (var round = 0; round < 3; round++) {
      instance.assertMaybe(now, before);
      instance.assertMaybe(now, there);
      instance.assertMaybe(now, manyThere);
      assertNew(false, instance.test(now, here));
      assertNew(false, instance.test(now, manyHere));
    }
    assertNew(false, instance.add(now, there));
    assertNew(true, instance.add(now, manyHere));
    assertNew(false, instance.add(now, manyThere));
    assertNew(true, instance.add(now, here));
    for (var all : List.of(before, here, there, manyHere, manyThere)) {
      instance.assertMaybe(now, all);
    }
    instance.assertCountsAreExact(now);
  }

  private static void assertNew(boolean expected, boolean[] flags) {
    var all = new boolean[flags.length];
    Arrays.fill(all, expected);
    assertArrayEquals(all, flags);
  }

  private List<byte[]> fresh(String prefix, int count) {
    var found = new ArrayList<byte[]>();
    var k = KIND.shape().numHashFunctions();
    var positions = new long[k];
    for (var i = 0; found.size() < count; i++) {
      var candidate = element(prefix + " " + i);
      KIND.hashScheme().locate(candidate, KIND.shape(), positions);
      if (Arrays.stream(positions).distinct().count() == k
          && Arrays.stream(positions).noneMatch(position -> used.get((int) position))) {
        Arrays.stream(positions).forEach(position -> used.set((int) position));
        found.add(candidate);
      }
    }
    return found;
  }

  /** Until answers come from a copy. */
  private static void warm(TestInstance instance, FilterName filter, List<byte[]> known) {
    var asked = instance.metrics.get("bloom.copies.tests").tag("decided", "redis").counter();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              var before = asked.count();
              instance.assertMaybe(filter, known);
              return asked.count() == before;
            });
    var decided = instance.metrics.get("bloom.copies.tests").tag("decided", "copy").counter();
    assertTrue(decided.count() > 0);
  }
}
