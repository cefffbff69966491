package io.github.bloomgate.filters;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OneNodeCluster;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Adoption on a cluster of one node: the key must be in the same slot as the filter's name. */
@Tag("topology")
class AdoptionClusterTest {

  private static final List<byte[]> ELEMENTS = elements("element ", 50);

  private static TestRedis redis;
  private static TestInstance service;

  @BeforeAll
  static void start() {
    redis = OneNodeCluster.started();
    service = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    service.close();
    redis.close();
  }

  @Test
  void aKeyInAnotherSlotIsRefusedWithAFittingName() {
    for (var scheme : List.of("redisson", "go-zero")) {
      for (var key : List.of("coupons", "all {coupons}", "used coupons", "{used coupons}:2")) {
        var failure = assertFails(ErrorCode.INVALID_REQUEST, () -> adopt("orders", key, scheme));
        assertEquals(List.of(), service.keysWith("orders"));
        assertEquals(List.of(), service.keysWith("coupons"));
        var name = between(failure.getMessage(), "under a name in the same slot, such as '", "'");
        assertTrue(
            key.contains("used") ? name.startsWith("orders-") : name.equals("coupons"), name);
        assertTrue(adopt(name, key, scheme).created());
        service.changes.delete(new FilterName(name), true);
      }
    }
  }

  @Test
  void aKeyInTheSlotOfTheNameIsAdoptedAndUsed() {
    for (var key : List.of("users", "a{users}b")) {
      for (var scheme : List.of("redisson", "go-zero")) {
        var name = new FilterName("users");
        assertTrue(adopt("users", key, scheme).created());
        service.add(name, ELEMENTS);
        service.assertMaybe(name, ELEMENTS);
        service.changes.clear(name);
        service.changes.delete(name, true);
        assertEquals(0, redis.command("EXISTS", key).toInteger());
      }
    }
  }

  /** Bitmap and counter have the library's name as their hash tag, so both are in its slot. */
  @Test
  void aCounterIsInTheSlotOfItsBitmap() {
    var key = "{counted users}";
    var refused = assertThrows(BloomException.class, () -> adopt("a", key, "rueidisprob"));
    var name =
        new FilterName(
            between(refused.getMessage(), "under a name in the same slot, such as '", "'"));
    assertTrue(adopt(name.value(), key, "rueidisprob").created());
    service.add(name, ELEMENTS);
    service.add(name, ELEMENTS);
    assertEquals(ELEMENTS.size(), redis.command("GET", key + ":c").toInteger());
    service.changes.clear(name);
    assertEquals(0, redis.command("GET", key + ":c").toInteger());
    service.changes.delete(name, true);
    assertEquals(0, redis.command("EXISTS", key, key + ":c").toInteger());
  }

  private static String between(String text, String before, String after) {
    var begin = text.indexOf(before) + before.length();
    return text.substring(begin, text.indexOf(after, begin));
  }

  private static CreateOutcome adopt(String name, String key, String scheme) {
    var hashes = HashSchemes.named(scheme).orElseThrow();
    var shape = FilterParameters.forShape(hashes, 1_024, 14, WhenFull.ACCEPT);
    return service.adoptions.adopt(
        new FilterName(name), key, hashes, Optional.of(shape), Optional.empty(), Quota.NONE);
  }
}
