package io.github.bloomgate.redis;

import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A Redis Cluster of real processes on loopback: three primaries with a third of the slots each,
 * and a replica for each. A node counts as dead after five seconds without a reply, so that a node
 * that is slow on a busy machine does not. A replica takes over only from a node that the test has
 * marked as lost.
 */
public final class TestCluster implements AutoCloseable {
  public static final int PRIMARIES = 3;

  private static final int SLOTS = 16_384;
  private static final Duration MAX_WAIT = Duration.ofMinutes(3);
  private static final List<String> SETTINGS =
      List.of(
          "--cluster-enabled",
          "yes",
          "--cluster-require-full-coverage",
          "no",
          "--cluster-node-timeout",
          "5000",
          "--cluster-replica-no-failover",
          "yes",
          // A replica may take over even if it was disconnected for long.
          "--cluster-replica-validity-factor",
          "0",
          "--repl-diskless-sync",
          "yes",
          "--repl-diskless-sync-delay",
          "0");

  private final List<TestRedis> nodes = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  private TestCluster(String... settings) {
    var all = Stream.concat(SETTINGS.stream(), Arrays.stream(settings)).toArray(String[]::new);
    for (var i = 0; i < 2 * PRIMARIES; i++) {
      nodes.add(TestRedis.started(all));
      ids.add(nodes.get(i).command("CLUSTER", "MYID").toString());
    }
  }

  /** Starts the processes, and waits until they form a cluster and the replicas have all data. */
  public static TestCluster started(String... settings) {
    var cluster = new TestCluster(settings);
    cluster.form();
    return cluster;
  }

  private void form() {
    for (var i = 0; i < PRIMARIES; i++) {
      giveSlots(node(i));
      // Otherwise, all nodes begin with the same epoch and resolve the conflicts one by one.
      node(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (var node : nodes.subList(1, nodes.size())) {
      node.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(node(0).port()));
    }
    for (var node : nodes) {
      await(() -> ids.stream().allMatch(id -> view(node).contains(id)));
    }
    for (var i = 0; i < PRIMARIES; i++) {
      node(PRIMARIES + i).command("CLUSTER", "REPLICATE", ids.get(i));
    }
    awaitWhole();
  }

  /** Waits until all slots are served, and every running node knows it and replicates. */
  public void awaitWhole() {
    for (var node : nodes) {
      if (node.isRunning()) {
        await(() -> node.command("CLUSTER", "INFO").toString().contains("cluster_state:ok"));
        await(
            () ->
                !isReplica(node)
                    || node.command("INFO", "replication")
                        .toString()
                        .contains("master_link_status:up"));
      }
    }
    await(
        () ->
            nodes.stream()
                .filter(TestRedis::isRunning)
                .allMatch(node -> slotsServed(node) == SLOTS));
  }

  /** The number of slots for which a node knows the owner. */
  private static int slotsServed(TestRedis node) {
    return ranges(node).stream()
        .filter(range -> range.size() >= 3)
        .mapToInt(range -> range.get(1).toInteger() - range.get(0).toInteger() + 1)
        .sum();
  }

  /** Driver options for a client that knows three of the nodes. */
  public RedisOptions options() {
    var options = new RedisOptions().setType(RedisClientType.CLUSTER).setMaxWaitingHandlers(65_536);
    nodes.subList(0, PRIMARIES).forEach(node -> options.addConnectionString(node.uri()));
    return options;
  }

  /** The value for {@code quarkus.redis.hosts}. */
  public String hosts() {
    return String.join(",", nodes.subList(0, PRIMARIES).stream().map(TestRedis::uri).toList());
  }

  public List<TestRedis> nodes() {
    return nodes;
  }

  public TestRedis node(int index) {
    return nodes.get(index);
  }

  public String id(TestRedis node) {
    return ids.get(nodes.indexOf(node));
  }

  /** The slot of a key according to Redis. */
  public int slot(String key) {
    return running().command("CLUSTER", "KEYSLOT", key).toInteger();
  }

  /** The primary that owns a slot, according to most running nodes. */
  public TestRedis owner(int slot) {
    return nodes.stream()
        .filter(TestRedis::isRunning)
        .filter(node -> !isReplica(node) && ownsItself(node, slot))
        .findFirst()
        .orElseThrow();
  }

  public TestRedis owner(String key) {
    return owner(slot(key));
  }

  /** The running replica of a primary, if there is one. */
  public Optional<TestRedis> replica(TestRedis primary) {
    return nodes.stream()
        .filter(TestRedis::isRunning)
        .filter(
            node ->
                view(node)
                    .lines()
                    .filter(isMyselfWith("slave"))
                    .anyMatch(line -> line.contains(" " + id(primary) + " ")))
        .findFirst();
  }

  /**
   * Lets the replica of a dead or frozen node take over, and waits until all running nodes see it
   * as the owner of the slot.
   */
  public void awaitTakeover(int slot, TestRedis from) {
    var replica = replica(from).orElseThrow();
    replica.command("CONFIG", "SET", "cluster-replica-no-failover", "no");
    var others = nodes.stream().filter(node -> node != from && node.isRunning()).toList();
    await(
        () ->
            others.stream()
                .allMatch(
                    node -> ownerPort(node, slot).filter(port -> port != from.port()).isPresent()));
    replica.command("CONFIG", "SET", "cluster-replica-no-failover", "yes");
  }

  /**
   * Moves a slot with all its keys, a few at a time, as {@code redis-cli --cluster reshard} does.
   */
  public void move(int slot, TestRedis from, TestRedis to) {
    beginMove(slot, from, to);
    moveKeys(slot, from, to, Integer.MAX_VALUE);
    endMove(slot, from, to);
  }

  public void beginMove(int slot, TestRedis from, TestRedis to) {
    to.command("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
    from.command("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
  }

  /** Moves at most {@code most} keys of a slot, one by one. */
  public int moveKeys(int slot, TestRedis from, TestRedis to, int most) {
    var moved = 0;
    while (moved < most) {
      var keys = from.command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "1");
      if (keys.size() == 0) {
        break;
      }
      moveKey(keys.get(0).toString(), from, to);
      moved++;
    }
    return moved;
  }

  public void moveKey(String key, TestRedis from, TestRedis to) {
    from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "10000");
  }

  public void endMove(int slot, TestRedis from, TestRedis to) {
    for (var node : List.of(to, from)) {
      node.command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", id(to));
    }
    for (var node : nodes) {
      if (node.isRunning()) {
        await(() -> ownerPort(node, slot).filter(port -> port == to.port()).isPresent());
      }
    }
  }

  /** Takes all slots from a primary. Then no node names it as one that serves requests. */
  public void takeSlots(TestRedis primary) {
    // First the primary itself, which would claim them again.
    var all = new ArrayList<>(List.of(primary));
    all.addAll(nodes);
    for (var node : all) {
      await(
          () -> {
            if (ranges(node).stream().noneMatch(range -> isOf(range, primary))) {
              return true;
            }
            node.command("CLUSTER", withSlots("DELSLOTS", primary));
            return false;
          });
    }
  }

  /** Gives a primary its slots. Other nodes learn of it later. */
  public void giveSlots(TestRedis primary) {
    primary.command("CLUSTER", withSlots("ADDSLOTS", primary));
  }

  private static boolean isOf(Response range, TestRedis primary) {
    return range.get(2).get(1).toInteger() == primary.port();
  }

  private String[] withSlots(String change, TestRedis primary) {
    var index = nodes.indexOf(primary);
    var slots =
        IntStream.range(index * SLOTS / PRIMARIES, (index + 1) * SLOTS / PRIMARIES)
            .mapToObj(Integer::toString);
    return Stream.concat(Stream.of(change), slots).toArray(String[]::new);
  }

  /** The number of requests that the nodes have refused because their keys were moving. */
  public int tryAgainRefusals() {
    return nodes.stream().filter(TestRedis::isRunning).mapToInt(TestRedis::tryAgainRefusals).sum();
  }

  @Override
  public void close() {
    nodes.forEach(TestRedis::close);
  }

  private TestRedis running() {
    return nodes.stream().filter(TestRedis::isRunning).findFirst().orElseThrow();
  }

  private boolean isReplica(TestRedis node) {
    return view(node).lines().anyMatch(isMyselfWith("slave"));
  }

  private static Predicate<String> isMyselfWith(String role) {
    return line -> line.contains("myself," + role);
  }

  private boolean ownsItself(TestRedis node, int slot) {
    return ownerPort(node, slot).filter(port -> port == node.port()).isPresent();
  }

  private Optional<Integer> ownerPort(TestRedis node, int slot) {
    return ranges(node).stream()
        .filter(range -> range.get(0).toInteger() <= slot && slot <= range.get(1).toInteger())
        .map(range -> range.get(2).get(1).toInteger())
        .findFirst();
  }

  private static List<Response> ranges(TestRedis node) {
    return node.command("CLUSTER", "SLOTS").stream().toList();
  }

  private static String view(TestRedis node) {
    return node.command("CLUSTER", "NODES").toString();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(MAX_WAIT)
        // A node that is loading or becoming a replica does not answer.
        .ignoreExceptions()
        .pollInterval(Duration.ofMillis(50))
        .until(condition);
  }
}
