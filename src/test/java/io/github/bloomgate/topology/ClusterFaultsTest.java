package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.Load;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.TestExtent;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Redis Cluster that loses nodes while the service is used. */
@QuarkusTest
@TestProfile(ClusterProfile.class)
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("faults")
class ClusterFaultsTest extends ClusterFaults {

  /** The number of times each fault occurs. */
  private static final int ROUNDS = TestExtent.of("test.cluster-rounds", 1, 3);

  private static final String REPLICATED = "?durability=replicated";
  private static final String MANY_SEGMENTS = "{\"bitSize\": 134217728, \"numHashFunctions\": 20}";

  @Test
  void aLostPrimaryAffectsOnlyItsFiltersUntilFailoverAndNoConfirmedAdd() {
    for (var round = 0; round < ROUNDS; round++) {
      lose(TestRedis::kill, TestRedis::start);
    }
  }

  @Test
  void unconfirmedAddsAreDistinguished() {
    var name = "replicated-" + filters++;
    var path = "/v1/filters/" + name + "/add";
    create(name, SEVERAL_SEGMENTS);
    var owner = cluster.owner(MovedOperation.stateKey(name));
    var replica = cluster.replica(owner).orElseThrow();
    var ways =
        List.<BiFunction<String, Integer, PlainHttp.Reply>>of(
            (query, i) -> PlainHttp.send("POST", path + query, "{\"elements\": [\"" + i + "\"]}"),
            (query, i) ->
                PlainHttp.send("POST", path + query, MovedOperation.elements("json " + i + " ")),
            (query, i) -> PlainHttp.sendLines("POST", path + query, "line " + i + "\n"));
    for (var way : ways) {
      var before = confirmed(() -> way.apply(REPLICATED, 1));
      assertEquals(1, before.json().get("replicas").asInt(), before.text());
    }
    replica.freeze();
    for (var way : ways) {
      var concurrent = way.apply("", 2);
      require(200, concurrent);
      assertFalse(concurrent.json().has("replicas"), concurrent.text());
    }
    ways.stream()
        .map(way -> InParallel.run(() -> assertRefused(way)))
        .toList()
        .forEach(CompletableFuture::join);
    replica.thaw();
    cluster.awaitWhole();
    for (var way : ways) {
      confirmed(() -> way.apply(REPLICATED, 3));
    }
  }

  private static void assertRefused(BiFunction<String, Integer, PlainHttp.Reply> way) {
    var refused =
        IntStream.range(3, 40)
            .mapToObj(i -> way.apply(REPLICATED, i))
            .filter(answer -> answer.status() != 200)
            .findFirst()
            .orElseThrow();
    require(504, refused);
    assertEquals("NOT_REPLICATED", refused.json().get("code").asText());
  }

  /** Retries if a replica is too slow, as on a busy machine. Any other error fails the test. */
  private static PlainHttp.Reply confirmed(Supplier<PlainHttp.Reply> add) {
    return Awaitility.await()
        .until(
            () -> {
              var answer = add.get();
              if (answer.status() != 504) {
                require(200, answer);
                return answer;
              }
              assertEquals("NOT_REPLICATED", answer.json().get("code").asText());
              return null;
            },
            Objects::nonNull);
  }

  @Test
  void aHangingPrimaryAffectsOnlyItsFiltersUntilFailoverAndNoConfirmedAdd() {
    for (var round = 0; round < ROUNDS; round++) {
      lose(TestRedis::freeze, TestRedis::thaw);
    }
  }

  /** The nodes agree on a failover that is not forced, so nothing is lost. */
  @Test
  void aPlannedFailoverIsFollowedByTheRedirectionsOfTheOldPrimary() {
    for (var force : List.of("", "TAKEOVER")) {
      for (var round = 0; round < ROUNDS; round++) {
        assertEquals(List.of(), lostByFailover(force), force);
      }
    }
  }

  private List<String> lostByFailover(String force) {
    var name = "planned-" + filters++;
    create(name, ONE_SEGMENT);
    var slot = cluster.slot(MovedOperation.stateKey(name));
    var old = cluster.owner(slot);
    var next = cluster.replica(old).orElseThrow();
    var adds = new PacedAdds(name);
    var followed = System.nanoTime();
    try (adds) {
      adds.awaitAcknowledged(20);
      next.command(
          "CLUSTER",
          Stream.of("FAILOVER", force).filter(word -> !word.isEmpty()).toArray(String[]::new));
      Awaitility.await().until(() -> cluster.owner(slot) == next);
      adds.awaitAcknowledged(20);
      if (!force.isEmpty()) {
        followed = System.nanoTime();
      }
      cluster.awaitWhole();
      adds.awaitAcknowledged(20);
    }
    return adds.lostSince(followed, "CLUSTER FAILOVER " + force);
  }

  private void lose(Consumer<TestRedis> fault, Consumer<TestRedis> repair) {
    var perNode = filtersOnEveryPrimary();
    var slot = cluster.slot(MovedOperation.stateKey(perNode.get(0).get(0)));
    var dead = cluster.owner(slot);
    var healthy = perNode.subList(1, perNode.size()).stream().flatMap(List::stream).toList();
    var large = largeFilterOn(dead);
    // Each node has a filter for both loads.
    var plain = PlainHttp.load("");
    var confirmed = PlainHttp.load(REPLICATED);
    long replicated;
    long afterFault;
    try (plain;
        confirmed) {
      for (var names : perNode) {
        plain.use(names.get(0));
        confirmed.use(names.get(1));
      }
      plain.use(large);
      for (var load : List.of(plain, confirmed)) {
        load.awaitRounds(20);
      }

      replicated = System.nanoTime();
      dead.awaitReplicatedBy(cluster.replica(dead).orElseThrow());
      fault.accept(dead);
      afterFault = System.nanoTime();
      cluster.awaitTakeover(slot, dead);
      assertEquals(200, PlainHttp.send("GET", "/q/health/ready", "", null).status());
      // Until its replica is repaired, the new primary cannot confirm adds.
      plain.awaitRounds(20);
      repair.accept(dead);
      cluster.awaitWhole();
      for (var load : List.of(plain, confirmed)) {
        load.awaitRounds(20);
      }
    }
    // There may be no failures, because calls wait for a takeover within the call timeout.
    for (var load : List.of(plain, confirmed)) {
      var failures = load.failures();
      assertEquals(
          List.of(),
          failures.stream().filter(failure -> healthy.contains(failure.filter())).toList());
      assertTrue(
          failures.stream().allMatch(failure -> Load.AWAY.contains(failure.code())),
          failures::toString);
    }
    assertEquals(List.of(), confirmed.denied());
    assertEquals(List.of(), confirmed.lost());
    plain.assertLostOnlyAround(replicated, afterFault);
    assertEquals(
        List.of(),
        plain.lost().stream()
            .filter(
                lost -> healthy.stream().anyMatch(name -> lost.element().startsWith(name + " ")))
            .toList());
    require(204, PlainHttp.send("DELETE", "/v1/filters/" + large, null));
  }

  /** A filter of many segments on a node. */
  private String largeFilterOn(TestRedis node) {
    while (true) {
      var name = "large-" + filters++;
      if (cluster.owner(MovedOperation.stateKey(name)) == node) {
        create(name, MANY_SEGMENTS);
        return name;
      }
    }
  }
}
