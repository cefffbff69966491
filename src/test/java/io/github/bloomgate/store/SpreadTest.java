package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.vertx.redis.client.impl.ZModem;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where the segments of filters are on a cluster of three primaries with a third of the slots. */
class SpreadTest {

  private static final int NODES = 3;
  private static final int SLOTS = 16_384;
  private static final int SEGMENTS = 3_000;

  @Test
  void theSegmentsOfAFilterSpreadEvenly() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (var filter = 0; filter < 20; filter++) {
      var incarnation = "%016x".formatted(random.nextLong());
      Map<Integer, Integer> perNode = new HashMap<>();
      for (var segment = 1; segment <= SEGMENTS; segment++) {
        var keys = Keys.ofLaterSegment(incarnation, segment);
        var slot = ZModem.generate(keys.get(0));
        assertEquals(slot, ZModem.generate(keys.get(1)), "state and bits share a slot");
        perNode.merge(slot * NODES / SLOTS, 1, Integer::sum);
      }
      // Six standard deviations.
      assertTrue(
          perNode.values().stream().allMatch(count -> Math.abs(count - SEGMENTS / NODES) < 160),
          () -> "seed " + seed + ": " + perNode);
    }
  }

  @Test
  void theSlotOfAKeyIsThatOfRedis() {
    try (var redis = TestRedis.started("--cluster-enabled", "yes")) {
      var keys = Keys.ofLaterSegment("a8018a1473cc2bd7", 3);
      for (var key : new String[] {keys.get(0), keys.get(1), Keys.CATALOGUE, "{}x", "a{b}{c}"}) {
        assertEquals(
            redis.command("CLUSTER", "KEYSLOT", key).toInteger(), ZModem.generate(key), key);
      }
    }
  }
}
