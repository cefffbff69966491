package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.await;
import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The link when Redis or the network fails and recovers. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("faults")
class RedisLinkFaultTest {
  private static final int BYTES_OF_INCR = "*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n".length();

  @Test
  void repliesThatABusyEventLoopReadsLateAreInTime() {
    var timeout = Duration.ofSeconds(1);
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options(), timeout)) {
      link.awaitService();
      var late = new AtomicReference<Uni<Response>>();
      await(
          link.read("ECHO", "first")
              .invoke(
                  first -> {
                    late.set(sendNow(link.read("ECHO", "late")));
                    var end = System.nanoTime() + 2 * timeout.toNanos();
                    while (System.nanoTime() - end < 0) {
                      Thread.onSpinWait();
                    }
                  }));
      assertEquals("late", await(late.get()).toString());
      assertEquals(0, link.reconnects());
    }
  }

  @Test
  void readsOnAKilledConnectionAreSentAgain() {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options(), Duration.ofSeconds(30))) {
      link.awaitService();
      List<Uni<Response>> replies = new ArrayList<>();
      // All requests wait behind the first, so that the lost connection leaves every reply open.
      replies.add(sendNow(link.read("BLPOP", "gate", "0")));
      for (int i = 0; i < 100; i++) {
        replies.add(sendNow(link.read("ECHO", "text " + i)));
      }
      awaitBlocked(redis);
      redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      Awaitility.await().until(() -> link.reconnects() == 1);
      redis.command("RPUSH", "gate", "open");
      assertEquals("open", await(replies.get(0)).get(1).toString());
      for (int i = 0; i < 100; i++) {
        assertEquals("text " + i, await(replies.get(i + 1)).toString());
      }
    }
  }

  @Test
  void writesOnAKilledConnectionAreUnknownAndNotRetried() {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options())) {
      link.awaitService();
      List<Uni<Response>> writes = new ArrayList<>();
      writes.add(sendNow(link.write("BLPOP", "gate", "0")));
      for (int i = 0; i < 100; i++) {
        writes.add(sendNow(link.write("INCR", "n")));
      }
      awaitBlocked(redis);
      // Requests on the lost connection are not sent again. The driver would send queued ones on
      // the next connection.
      awaitUnread(redis, 100 * BYTES_OF_INCR);
      redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      for (Uni<Response> write : writes) {
        assertFails(ErrorCode.STORE_OUTCOME_UNKNOWN, write);
      }
      assertEquals(1, await(link.write("INCR", "n")).toLong());
      assertEquals(1, link.reconnects());
    }
  }

  @Test
  void requestsSurviveConnectionsKilledAtAnyMoment() {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options())) {
      link.awaitService();
      long applied = 0;
      long unknown = 0;
      for (int round = 0; round < 20; round++) {
        List<Uni<Response>> reads = new ArrayList<>();
        List<Uni<Response>> writes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          reads.add(sendNow(link.read("ECHO", round + "." + i)));
          writes.add(sendNow(link.write("INCR", "n")));
        }
        redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        for (int i = 0; i < reads.size(); i++) {
          assertEquals(round + "." + i, await(reads.get(i)).toString());
        }
        for (Uni<Response> write : writes) {
          try {
            await(write);
            applied++;
          } catch (BloomException e) {
            assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, e.code());
            unknown++;
          }
        }
        link.awaitService();
      }
      long count = Long.parseLong(redis.command("GET", "n").toString());
      assertTrue(
          applied <= count && count <= applied + unknown,
          applied + " applied, " + unknown + " unknown, but the counter says " + count);
    }
  }

  @Test
  void aKilledRedisIsUnavailableUntilItIsBackAtTheSameAddress() {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options())) {
      link.awaitService();
      redis.kill();
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("PING"));
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.write("INCR", "n"));
      Awaitility.await().until(() -> link.connected() == 0);
      redis.start();
      // The link reconnects without a request.
      Awaitility.await().until(() -> link.connected() == 1);
      assertEquals(1, await(link.write("INCR", "n")).toLong());
      assertEquals(1, link.reconnects());
    }
  }

  @Test
  void aRedisThatIsDownAtTheStartIsUsedOnceItIsUp() {
    try (TestRedis redis = TestRedis.stopped();
        TestLink link = new TestLink(redis.options())) {
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("PING"));
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.write("INCR", "n"));
      redis.start();
      link.awaitService();
      assertEquals(1, await(link.write("INCR", "n")).toLong());
      assertEquals(0, link.reconnects());
    }
  }

  @Test
  void aFrozenRedisTimesOutAndServesAgainWhenThawed() {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options(), Duration.ofMillis(500))) {
      link.awaitService();
      redis.freeze();
      // The write comes first, because later requests are not sent after a timeout.
      Uni<Response> write = sendNow(link.write("INCR", "n"));
      Uni<Response> read = sendNow(link.read("ECHO", "early"));
      assertFails(ErrorCode.STORE_OUTCOME_UNKNOWN, write);
      assertFails(ErrorCode.STORE_UNAVAILABLE, read);
      // There was no reply, so the link closes the connection, and the handshake of each new one
      // fails. Makes more attempts than the driver's pool has connections, because none may leak.
      assertEquals(0, link.connected());
      link.awaitAttempts(10);
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.write("INCR", "n"));
      redis.thaw();
      link.awaitService();
      for (int i = 0; i < 100; i++) {
        String text = "late " + i;
        // The call may time out on any machine, but must never get another call's reply.
        Awaitility.await()
            .pollDelay(Duration.ZERO)
            .ignoreException(BloomException.class)
            .untilAsserted(() -> assertEquals(text, await(link.read("ECHO", text)).toString()));
      }
      // The link's connection and the one that asks. Abandoned connections are closed.
      Awaitility.await().until(() -> redis.info("clients", "connected_clients") == 2);
    }
  }

  @Test
  void aLateReplyIsNotMistakenForAnother() {
    try (TestRedis redis = TestRedis.started();
        TestLink link = new TestLink(redis.options(), Duration.ofSeconds(5))) {
      link.awaitService();
      Uni<Response> inTime = sendNow(link.read("BLPOP", "early", "0"));
      String behind = "late".repeat(20);
      Uni<Response> late = sendNow(link.read("BLPOP", behind, "0"));
      // The link would close a connection without replies after it was sent.
      awaitBlocked(redis);
      awaitUnread(redis, behind.length());
      redis.command("RPUSH", "early", "in time");
      await(inTime);
      assertFails(ErrorCode.STORE_UNAVAILABLE, late);
      Uni<Response> next = sendNow(link.read("ECHO", "next"));
      Uni<Response> afterwards = sendNow(link.read("ECHO", "afterwards"));
      redis.command("RPUSH", behind, "too late");
      assertEquals("next", await(next).toString());
      assertEquals("afterwards", await(afterwards).toString());
      assertEquals(1, link.timeouts());
      assertEquals(0, link.reconnects());
    }
  }

  @Test
  void aHandshakeWithoutAReplyTimesOut() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        TestLink link =
            new TestLink(
                new RedisOptions()
                    .setConnectionString("redis://127.0.0.1:" + silent.getLocalPort()),
                Duration.ofMillis(300))) {
      BloomException failure = assertFails(ErrorCode.STORE_UNAVAILABLE, link.write("INCR", "n"));
      assertTrue(failure.getMessage().contains("in time"), failure.getMessage());
    }
  }

  @Test
  void aRedisWithTooManyClientsIsUsedOnceItAcceptsOne() {
    try (TestRedis redis = TestRedis.started("--maxclients", "1");
        TestLink link = new TestLink(redis.options(), Duration.ofMillis(300))) {
      TestLink other = new TestLink(redis.options());
      other.awaitService();
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.read("PING"));
      link.awaitAttempts(10);
      other.close();
      link.awaitService();
    }
  }

  @Test
  void aPrimaryThatBecameAReplicaIsReplacedByTheNewOne() {
    RedisOptions options = new RedisOptions();
    try (TestRedis first = TestRedis.started();
        TestRedis second = TestRedis.started();
        TestLink link =
            new TestLink(options.setConnectionString(first.uri()), Duration.ofSeconds(1))) {
      link.awaitService();
      // The address now leads elsewhere, as after a failover by DNS, while the old primary stays
      // up.
      options.setEndpoints(List.of(second.uri()));
      first.command("REPLICAOF", "127.0.0.1", String.valueOf(second.port()));
      Awaitility.await()
          .ignoreException(BloomException.class)
          .until(() -> await(link.write("SET", "written", "here")).toString().equals("OK"));
      assertEquals("here", second.command("GET", "written").toString());
    }
  }

  /** Nothing is written, so no refusal shows that it has become a replica. */
  @Test
  void aPrimaryThatBecameAReplicaAnswersNoMoreReads() {
    RedisOptions options = new RedisOptions();
    try (TestRedis first = TestRedis.started();
        TestRedis second = TestRedis.started();
        TestLink link = new TestLink(options.setConnectionString(first.uri()))) {
      link.awaitService();
      second.command("SET", "added", "there");
      options.setEndpoints(List.of(second.uri()));
      // It keeps its connections, and never gets the data of another primary.
      first.command("REPLICAOF", "127.0.0.1", "1");
      Awaitility.await().until(() -> await(link.read("GET", "added")) != null);
      assertEquals(1, link.reconnects());
    }
  }

  @Test
  void aReplicaIsRefusedUntilItIsPromoted() {
    try (TestRedis redis = TestRedis.started("--replicaof", "127.0.0.1", "1");
        TestLink link = new TestLink(redis.options())) {
      for (Uni<Response> sent : List.of(link.read("GET", "key"), link.write("INCR", "n"))) {
        BloomException failure = assertFails(ErrorCode.STORE_UNAVAILABLE, sent);
        assertTrue(failure.getMessage().contains("it is a replica"), failure.getMessage());
      }
      redis.command("REPLICAOF", "NO", "ONE");
      link.awaitService();
      assertEquals(1, await(link.write("INCR", "n")).toLong());
    }
  }

  /** It refuses nothing, but its changes are lost. */
  @Test
  void aChangeOfAWritableReplicaIsNotConfirmed() {
    try (TestRedis redis = TestRedis.started("--replica-read-only", "no");
        TestLink link = new TestLink(redis.options())) {
      link.awaitService();
      redis.command("REPLICAOF", "127.0.0.1", "1");
      BloomException failure =
          Awaitility.await()
              .until(
                  () -> {
                    try {
                      await(link.write("INCR", "n"));
                      return null;
                    } catch (BloomException e) {
                      return e;
                    }
                  },
                  Objects::nonNull);
      assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failure.code(), failure.getMessage());
      assertFails(ErrorCode.STORE_UNAVAILABLE, link.write("INCR", "n"));
    }
  }

  @Test
  void aUserThatMayNotAskForTheRoleIsServed() {
    try (TestRedis redis = TestRedis.started()) {
      redis.command("ACL", "SETUSER", "narrow", "on", ">secret", "~*", "+@all", "-role");
      try (TestLink link =
          new TestLink(
              new RedisOptions()
                  .setConnectionString("redis://narrow:secret@127.0.0.1:" + redis.port()))) {
        link.awaitService();
        assertEquals(1, await(link.write("INCR", "n")).toLong());
      }
    }
  }

  private static Uni<Response> sendNow(Uni<Response> reply) {
    Uni<Response> sent = reply.memoize().indefinitely();
    sent.subscribe().with(ignored -> {}, ignored -> {});
    return sent;
  }

  /** Waits until Redis has this number of unread bytes. */
  private static void awaitUnread(TestRedis redis, int bytes) {
    Awaitility.await()
        .until(
            () ->
                Pattern.compile(" qbuf=(\\d+) ")
                    .matcher(redis.command("CLIENT", "LIST").toString())
                    .results()
                    .anyMatch(client -> Integer.parseInt(client.group(1)) >= bytes));
  }

  private static void awaitBlocked(TestRedis redis) {
    Awaitility.await().until(() -> redis.info("clients", "blocked_clients") == 1);
  }
}
