package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OneNodeCluster;
import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.TestExtent;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slots of a Redis Cluster move while the service is used. */
@QuarkusTest
@TestProfile(ClusterProfile.class)
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("faults")
class MovingSlotsTest extends ClusterFaults {

  /** The number of times slots are moved. */
  private static final int ROUNDS = TestExtent.of("test.cluster-rounds", 1, 3);

  private static final String MEMBERS = "members-of-moving";

  @Test
  void slotsMoveUnderLoadUnnoticed() {
    var names = new ArrayList<String>();
    filtersOnEveryPrimary().forEach(names::addAll);
    var large = "large-" + filters++;
    create(large, SEVERAL_SEGMENTS);
    names.add(large);
    var load = PlainHttp.load("");
    try (load) {
      names.forEach(load::use);
      load.awaitRounds(20);
      for (var round = 0; round < ROUNDS; round++) {
        for (var name : names) {
          moveToNext(MovedOperation.stateKey(name));
        }
        moveToNext("bloom:{=names}");
        load.awaitRounds(10);
      }
    }
    assertEquals(List.of(), load.failures());
    assertEquals(List.of(), load.denied());
    assertEquals(List.of(), load.lost());
    // Versions also prove copies on a cluster.
    assertFalse(
        PlainHttp.send("GET", "/q/metrics", null).text().contains("bloom_copies_bytes 0.0"));
  }

  private void moveToNext(String key) {
    var slot = cluster.slot(key);
    var from = cluster.owner(slot);
    cluster.move(slot, from, otherThan(from));
  }

  private TestRedis otherThan(TestRedis primary) {
    return IntStream.range(0, 30)
        .mapToObj(i -> cluster.owner("any-" + i))
        .filter(node -> node != primary)
        .findFirst()
        .orElseThrow();
  }

  /** The progress of a slot's move when an operation comes. */
  private enum Stage {
    BEGUN,
    HALF,
    NEARLY_DONE
  }

  @Test
  void anOperationOnAMovingSlotIsDoneOrRefusedButNeverHalfDone() {
    var members =
        Stream.concat(Stream.of(MEMBERS), MovedOperation.ELEMENTS.stream()).toArray(String[]::new);
    cluster.owner(MEMBERS).command("SADD", members);
    var stages = List.of(Stage.values());
    var shapes = List.of(ONE_SEGMENT, SEVERAL_SEGMENTS);
    var seed = System.nanoTime();
    System.out.println("anOperationOnAMovingSlotIsDoneOrRefusedButNeverHalfDone: seed " + seed);
    var random = new Random(seed);
    for (var operation : MovedOperation.all()) {
      if (ROUNDS == 1) {
        var shape = shapes.get(random.nextInt(shapes.size()));
        operateWhileMoving(shape, operation, stages.get(random.nextInt(stages.size())));
      } else {
        shapes.forEach(
            shape -> stages.forEach(stage -> operateWhileMoving(shape, operation, stage)));
      }
    }
  }

  private void operateWhileMoving(String shape, MovedOperation operation, Stage stage) {
    var filters = prepare(shape, operation);
    var slot = cluster.slot(operation.movedKey(filters));
    var from = cluster.owner(slot);
    var to = otherThan(from);
    // These keys make sure that the slot has keys to move, even without a filter.
    for (var i = 0; i < 4; i++) {
      var key = "{" + filters.fresh() + "}" + i;
      cluster.owner(key).command("SET", key, "ballast");
    }
    cluster.beginMove(slot, from, to);
    var keys = from.command("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)).toInteger();
    cluster.moveKeys(
        slot,
        from,
        to,
        switch (stage) {
          case BEGUN -> 0;
          case HALF -> keys / 2;
          case NEARLY_DONE -> keys;
        });
    var refused = cluster.tryAgainRefusals();
    var answer = new AtomicReference<PlainHttp.Reply>();
    var asking = InParallel.run(() -> answer.set(operation.send(filters)));
    // Requests that wait for the remaining keys will succeed.
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> asking.isDone() || cluster.tryAgainRefusals() > refused + 2);
    cluster.moveKeys(slot, from, to, Integer.MAX_VALUE);
    cluster.endMove(slot, from, to);
    InParallel.resultOf(asking);
    var reported = answer.get();

    var what = operation + " at " + stage + ": " + reported.status() + " " + reported.text();
    var isDone = reported.status() < 300;
    assertTrue(isDone ? operation.isTrue(reported) : isAway(reported), what);
    if (!isDone) {
      // A refused operation succeeds now, or was done except for its background part.
      var again = operation.send(filters);
      isDone = again.status() < 300;
      assertTrue(
          isDone || (operation.ends() && again.status() == 404),
          () -> what + ", then " + again.text());
    }
    assertHolds(filters.name(), operation.drops() ? 0 : MovedOperation.ELEMENTS.size(), what);
    assertHolds(filters.fresh(), operation.fills() ? MovedOperation.ELEMENTS.size() : 0, what);
    assertEquals(operation.makes(), isThere(filters.fresh()), what);
    for (var name : List.of(filters.name(), filters.other(), filters.fresh())) {
      PlainHttp.send("DELETE", "/v1/filters/" + name, null);
    }
  }

  private MovedOperation.Filters prepare(String shape, MovedOperation operation) {
    var name = "moving-" + filters++;
    var other = "other-of-" + name;
    var path = "/v1/filters/" + name;
    create(name, operation.counts() ? counting(shape) : shape);
    require(200, PlainHttp.send("POST", path + "/add", MovedOperation.elements("held-")));
    if (operation.counts()) {
      require(200, PlainHttp.send("POST", path + "/add", oneElement("gone")));
    }
    var source = "{\"redisKey\": \"" + MEMBERS + "\"}";
    require(200, PlainHttp.send("PUT", path + "/source", source));
    if (operation.request().usesOther()) {
      create(other, shape);
      require(200, PlainHttp.send("POST", "/v1/filters/" + other + "/add", oneElement("more")));
    }
    var file = new byte[0];
    if (operation.isOf("importFilter")) {
      file = PlainHttp.send("GET", path + "/export", null).body();
    }
    if (operation.hasRebuild()) {
      require(201, PlainHttp.send("POST", path + "/rebuild", null));
      require(200, PlainHttp.send("POST", path + "/rebuild/add", MovedOperation.elements("held-")));
    }
    var fresh = operation.isOf("renameFilter") ? OneNodeCluster.inSlotOf(name) : "new-" + name;
    return new MovedOperation.Filters(name, other, fresh, MEMBERS, shape, file);
  }

  private static String counting(String shape) {
    var insertions = shape.equals(ONE_SEGMENT) ? 50_000 : 1_000_000;
    return "{\"expectedInsertions\": %d, \"falsePositiveProbability\": 0.0001, \"counting\": true}"
        .formatted(insertions);
  }

  /** A filter is complete with this number of elements, or does not exist at all. */
  private void assertHolds(String name, int elements, String what) {
    var path = "/v1/filters/" + name;
    var tested = PlainHttp.send("POST", path + "/test", MovedOperation.elements("held-"));
    if (isThere(name)) {
      require(200, tested);
      assertEquals(elements, tested.json().get("mightContainCount").asInt(), what);
      require(200, PlainHttp.send("POST", path + "/add", oneElement("after")));
    } else {
      assertEquals(0, elements, what);
      require(404, tested);
    }
  }

  private boolean isThere(String name) {
    var found = PlainHttp.send("GET", "/v1/filters/" + name, null);
    assertTrue(found.status() == 200 || found.status() == 404, () -> found.text());
    return found.status() == 200;
  }

  private static boolean isAway(PlainHttp.Reply answer) {
    return answer.status() == 503
        // A response to HEAD has no body.
        && (answer.body().length == 0
            || answer.json().get("code").asText().equals("STORE_UNAVAILABLE"));
  }

  private static String oneElement(String element) {
    return "{\"elements\": [\"" + element + "\"]}";
  }
}
