package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.await;
import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The link to a primary with replicas but without sentinels. Each server may be missing. */
class RedisLinkReplicationTest {

  private static TestLink link(TestRedis... hosts) {
    return new TestLink(
        new RedisOptions()
            .setType(RedisClientType.REPLICATION)
            .setEndpoints(Arrays.stream(hosts).map(TestRedis::uri).toList()));
  }

  private static TestRedis replicaOf(TestRedis primary) {
    var replica = TestRedis.started("--replicaof", "127.0.0.1", String.valueOf(primary.port()));
    Awaitility.await().until(() -> replica.command("ROLE").get(3).toString().equals("connected"));
    return replica;
  }

  @Test
  void aPrimaryWithoutReplicasIsUsed() {
    try (var primary = TestRedis.started();
        var link = link(primary)) {
      link.awaitService();
      assertEquals(1, await(link.write("INCR", "n")).toLong());
    }
  }

  @Test
  void thePrimaryIsFoundInAnyPlaceAndFromItsReplica() {
    try (var primary = TestRedis.started();
        var replica = replicaOf(primary)) {
      for (var hosts :
          new TestRedis[][] {{primary, replica}, {replica, primary}, {replica}, {primary}}) {
        try (var link = link(hosts)) {
          await(link.write("INCR", "n"));
        }
      }
      assertEquals("4", primary.command("GET", "n").toString());
    }
  }

  @Test
  void aReplicaThatIsPromotedByHandIsUsedAlsoAfterARestart() {
    try (var primary = TestRedis.started();
        var replica = replicaOf(primary)) {
      try (var link = link(primary, replica)) {
        link.awaitService();
        primary.kill();
        assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("PING"));
        replica.command("REPLICAOF", "NO", "ONE");
        link.awaitService();
        await(link.write("INCR", "n"));
      }
      try (var link = link(primary, replica)) {
        link.awaitService();
        await(link.write("INCR", "n"));
      }
      assertEquals("2", replica.command("GET", "n").toString());
    }
  }

  @Test
  void replicasAreNotUsedWithoutTheirPrimary() {
    try (var primary = TestRedis.started();
        var replica = replicaOf(primary);
        var link = link(primary, replica)) {
      link.awaitService();
      primary.kill();
      Awaitility.await()
          .untilAsserted(
              () -> {
                BloomException failure =
                    assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("GET", "key"));
                assertTrue(
                    failure.getMessage().contains("none of the hosts"), failure.getMessage());
              });
      primary.start();
      link.awaitService();
    }
  }

  /** One of them lacks adds that the other has acknowledged. */
  @Test
  void twoPrimariesAreRefusedUntilOneIsAReplica() {
    try (var former = TestRedis.started();
        var current = TestRedis.started();
        var link = link(former, current)) {
      BloomException failure = assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("GET", "key"));
      assertTrue(
          failure.getMessage().contains("2 of the hosts are primaries"), failure.getMessage());
      former.command("REPLICAOF", "127.0.0.1", String.valueOf(current.port()));
      link.awaitService();
      await(link.write("INCR", "n"));
      assertEquals("1", current.command("GET", "n").toString());
    }
  }
}
