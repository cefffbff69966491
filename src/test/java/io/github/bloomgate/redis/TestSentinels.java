package io.github.bloomgate.redis;

import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * A primary with a replica, and three sentinels that watch them, all real processes on loopback. A
 * primary counts as down after five seconds without a reply, so that one that is slow on a busy
 * machine does not.
 */
public final class TestSentinels implements AutoCloseable {
  public static final String NAME = "bloom-primary";

  private static final int SENTINELS = 3;

  private final TestRedis first;
  private final TestRedis second;
  private final List<TestRedis> sentinels = new ArrayList<>();

  private TestSentinels() {
    first = TestRedis.started();
    second = TestRedis.started("--replicaof", "127.0.0.1", Integer.toString(first.port()));
    for (var i = 0; i < SENTINELS; i++) {
      sentinels.add(TestRedis.startedAsSentinel(NAME, first.port()));
    }
  }

  /** Starts the processes, and waits until each sentinel knows all the others. */
  public static TestSentinels started() {
    var started = new TestSentinels();
    await(() -> started.isFollowing(started.second));
    for (var sentinel : started.sentinels) {
      await(
          () ->
              sentinel.command("SENTINEL", "SENTINELS", NAME).size() == SENTINELS - 1
                  && sentinel.command("SENTINEL", "REPLICAS", NAME).size() == 1);
    }
    return started;
  }

  /** The value for {@code quarkus.redis.hosts}. */
  public String hosts() {
    return String.join(",", sentinels.stream().map(TestRedis::uri).toList());
  }

  /** The primary that the sentinels agree on. */
  public TestRedis primary() {
    var ports =
        sentinels.stream()
            .map(one -> one.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME).get(1).toInteger())
            .distinct()
            .toList();
    return ports.size() == 1 && ports.get(0) == second.port() ? second : first;
  }

  public TestRedis other(TestRedis one) {
    return one == first ? second : first;
  }

  /** Driver options for a client that knows all sentinels. */
  public RedisOptions options() {
    var options =
        new RedisOptions()
            .setType(RedisClientType.SENTINEL)
            .setMasterName(NAME)
            .setMaxWaitingHandlers(65_536);
    sentinels.forEach(sentinel -> options.addConnectionString(sentinel.uri()));
    return options;
  }

  List<TestRedis> sentinels() {
    return sentinels;
  }

  /** Begins a planned failover. */
  public void failOver() {
    // Refused until a while after the previous one.
    await(() -> sentinels.get(0).command("SENTINEL", "FAILOVER", NAME) != null);
  }

  /**
   * Whether the sentinels may make a primary a replica. If they may not, the old primary goes on
   * taking changes after a planned failover, which it otherwise does for about ten seconds.
   */
  public void allowDemotion(TestRedis primary, boolean isAllowed) {
    var sign = isAllowed ? "+" : "-";
    primary.command("ACL", "SETUSER", "default", sign + "replicaof", sign + "slaveof");
  }

  /** Waits until all sentinels name this primary, and it is not a replica. */
  public void awaitPrimary(TestRedis expected) {
    await(
        () -> primary() == expected && expected.command("ROLE").get(0).toString().equals("master"));
  }

  /** Waits until this server is a replica with all data of the other. */
  public void awaitReplica(TestRedis one) {
    await(() -> isFollowing(one));
  }

  private boolean isFollowing(TestRedis one) {
    return one.command("INFO", "replication").toString().contains("master_link_status:up");
  }

  @Override
  public void close() {
    sentinels.forEach(TestRedis::close);
    second.close();
    first.close();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        // A sentinel that did not run for a while on a busy machine reports nothing for half a
        // minute.
        .atMost(Duration.ofMinutes(3))
        // A primary disconnects its clients when it becomes a replica, and may be loading.
        .ignoreExceptions()
        .pollInterval(Duration.ofMillis(50))
        .until(condition);
  }
}
