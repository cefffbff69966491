package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.await;
import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.vertx.redis.client.ProtocolVersion;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The link to a primary that sentinels watch. */
@Tag("topology")
class RedisLinkSentinelTest {

  private static TestSentinels sentinels;

  @BeforeAll
  static void start() {
    sentinels = TestSentinels.started();
  }

  @AfterAll
  static void stop() {
    sentinels.close();
  }

  /**
   * Nothing but the sentinels shows that there is another primary: the old one serves everything,
   * and the link is idle or only reads.
   */
  @Test
  void aPlannedFailoverIsFollowedWhileTheOldPrimaryServes() {
    var old = sentinels.primary();
    var next = sentinels.other(old);
    try (var reading = new TestLink(sentinels.options());
        var idle = new TestLink(sentinels.options().setProtocolNegotiation(false));
        var older =
            new TestLink(sentinels.options().setPreferredProtocolVersion(ProtocolVersion.RESP2))) {
      for (var link : List.of(reading, idle, older)) {
        link.awaitService();
      }
      sentinels.allowDemotion(old, false);
      try {
        sentinels.failOver();
        sentinels.awaitPrimary(next);
        next.command("SET", "added", "there");
        Awaitility.await().until(() -> await(reading.read("GET", "added")) != null);
        for (var link : List.of(idle, older)) {
          Awaitility.await().until(() -> link.reconnects() == 1 && link.connected() == 1);
          await(link.write("INCR", "n"));
        }
        assertEquals("master", old.command("ROLE").get(0).toString());
        assertEquals("2", next.command("GET", "n").toString());
      } finally {
        sentinels.allowDemotion(old, true);
      }
    }
    sentinels.awaitReplica(old);
  }

  @Test
  void oneSentinelIsEnough() {
    for (var sentinel : sentinels.sentinels().subList(0, 2)) {
      sentinel.kill();
    }
    try (var link = new TestLink(sentinels.options())) {
      link.awaitService();
      for (var sentinel : sentinels.sentinels()) {
        sentinel.kill();
      }
      // The primary that is known is used on.
      assertEquals("PONG", await(link.read("PING")).toString());
      try (var other = new TestLink(sentinels.options())) {
        BloomException failure = assertFails(ErrorCode.STORE_UNAVAILABLE, other.read("PING"));
        assertTrue(failure.getMessage().contains("no sentinel"), failure.getMessage());
      }
    } finally {
      sentinels.sentinels().forEach(TestRedis::start);
    }
  }

  @Test
  void anUnknownNameOfThePrimaryIsExplained() {
    try (var link = new TestLink(sentinels.options().setMasterName("other"))) {
      BloomException failure = assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("PING"));
      assertTrue(failure.getMessage().contains("quarkus.redis.master-name"), failure.getMessage());
    }
  }

  /** On the sentinels it may only do what the documentation lists. */
  @Test
  void anyUserAndDatabaseWorks() {
    var user = "ops@home:x";
    for (var sentinel : sentinels.sentinels()) {
      var rights =
          "reset on >p+w/ &* +hello +role +subscribe +sentinel|master"
              + " +sentinel|get-master-addr-by-name";
      sentinel.command(
          "ACL",
          Stream.concat(Stream.of("SETUSER", user), Stream.of(rights.split(" ")))
              .toArray(String[]::new));
    }
    for (var redis : List.of(sentinels.primary(), sentinels.other(sentinels.primary()))) {
      redis.command("ACL", "SETUSER", user, "on", ">p+w/", "~*", "+@all");
    }
    var options = sentinels.options();
    options.setEndpoints(
        options.getEndpoints().stream()
            .map(uri -> uri.replace("redis://", "redis://ops%40home%3Ax:p+w%2F@") + "/3")
            .toList());
    try (var link = new TestLink(options)) {
      link.awaitService();
      await(link.write("SET", "in", "three"));
      assertTrue(sentinels.primary().command("INFO", "keyspace").toString().contains("db3:keys=1"));
    }
  }

  @Test
  void aSentinelAsAPlainRedisIsExplained() {
    var sentinel = sentinels.sentinels().get(0);
    try (var link = new TestLink(sentinel.options())) {
      BloomException failure = assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("PING"));
      assertTrue(failure.getMessage().contains("client-type=sentinel"), failure.getMessage());
    }
  }
}
