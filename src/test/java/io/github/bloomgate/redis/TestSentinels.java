package io.github.bloomgate.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * A primary with a replica, and three sentinels that watch them, all real processes on loopback. A
 * primary that does not answer for five seconds counts as down; one that is only slow on a busy
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

  /** The primary, as the sentinels that agree see it. */
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

  /** Waits until all sentinels name this one, and it is no replica. */
  public void awaitPrimary(TestRedis expected) {
    await(
        () -> primary() == expected && expected.command("ROLE").get(0).toString().equals("master"));
  }

  /** Waits until one is a replica that has all of the other. */
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
        // A sentinel that a busy machine left no time trusts nothing for half a minute.
        .atMost(Duration.ofMinutes(3))
        // A primary that is made a replica is rid of its clients, and one may be loading.
        .ignoreExceptions()
        .pollInterval(Duration.ofMillis(50))
        .until(condition);
  }
}
