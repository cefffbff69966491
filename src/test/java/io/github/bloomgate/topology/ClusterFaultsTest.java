package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.ContractOperations;
import io.github.bloomgate.support.TestExtent;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Redis Cluster that loses nodes and moves slots while the service is used. */
@QuarkusTest
@TestProfile(ClusterProfile.class)
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Tag("faults")
class ClusterFaultsTest {

  /** How often each fault is done. */
  private static final int ROUNDS = TestExtent.of("test.cluster-rounds", 1, 3);

  /** What a client may be told when the node of a filter is away. */
  private static final Set<String> AWAY =
      Set.of("STORE_UNAVAILABLE", "STORE_OUTCOME_UNKNOWN", "NOT_REPLICATED");

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static int filters;

  private final PlainHttp http = new PlainHttp();
  private TestCluster cluster;

  @BeforeEach
  void wholeCluster() {
    cluster = ClusterProfile.cluster();
    cluster.awaitWhole();
  }

  @Test
  void theLossOfAPrimaryIsFeltByItsFiltersOnlyUntilItsReplicaTakesOver() {
    for (var round = 0; round < ROUNDS; round++) {
      lose(TestRedis::kill, TestRedis::start, "");
    }
  }

  @Test
  void whatReplicasHaveConfirmedSurvivesTheLossOfThePrimary() {
    for (var round = 0; round < ROUNDS; round++) {
      lose(TestRedis::kill, TestRedis::start, REPLICATED);
    }
  }

  @Test
  void addsThatNoReplicaConfirmsAreToldFromOthers() {
    for (var shape : List.of(ONE_SEGMENT, SEVERAL_SEGMENTS)) {
      var name = "replicated-" + filters++;
      var path = "/v1/filters/" + name + "/add";
      create(name, shape);
      var owner = cluster.owner(MovedOperation.stateKey(name));
      var replica = cluster.replica(owner).orElseThrow();
      var ways =
          List.<BiFunction<String, Integer, PlainHttp.Answer>>of(
              (query, i) ->
                  http.send("POST", path + query, JSON, bytes("{\"elements\": [\"" + i + "\"]}")),
              (query, i) ->
                  http.send("POST", path + query, JSON, MovedOperation.elements("json " + i + " ")),
              (query, i) ->
                  http.send("POST", path + query, "text/plain", bytes("line " + i + "\n")));
      for (var way : ways) {
        var before = confirmed(() -> way.apply(REPLICATED, 1));
        assertEquals(1, Load.json(before).get("replicas").asInt(), text(before));
        replica.freeze();
        var meanwhile = way.apply("", 2);
        require(200, meanwhile);
        assertFalse(Load.json(meanwhile).has("replicas"), text(meanwhile));
        // Of several segments the replicas of others may confirm theirs.
        var refused =
            IntStream.range(3, 40)
                .mapToObj(i -> way.apply(REPLICATED, i))
                .filter(answer -> answer.status() != 200)
                .findFirst()
                .orElseThrow();
        require(504, refused);
        assertEquals("NOT_REPLICATED", Load.json(refused).get("code").asText());
        replica.thaw();
        cluster.awaitWhole();
        confirmed(() -> way.apply(REPLICATED, 3));
      }
    }
  }

  /** On a busy machine a replica may be too slow, and nothing else may go wrong. */
  private static PlainHttp.Answer confirmed(Supplier<PlainHttp.Answer> add) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              var answer = add.get();
              if (answer.status() != 504) {
                require(200, answer);
                return answer;
              }
              assertEquals("NOT_REPLICATED", Load.json(answer).get("code").asText());
              return null;
            },
            Objects::nonNull);
  }

  private static final String REPLICATED = "?durability=replicated";

  @Test
  void aPrimaryThatHangsIsFeltByItsFiltersOnlyUntilItsReplicaTakesOver() {
    for (var round = 0; round < ROUNDS; round++) {
      lose(TestRedis::freeze, TestRedis::thaw, "");
    }
  }

  private void lose(Consumer<TestRedis> fault, Consumer<TestRedis> repair, String query) {
    var perNode = filtersOnEveryPrimary();
    var slot = cluster.slot(MovedOperation.stateKey(perNode.get(0).get(0)));
    var dead = cluster.owner(slot);
    var healthy = perNode.subList(1, perNode.size()).stream().flatMap(List::stream).toList();
    var large = largeFilterWithSegmentOn(dead);
    var load = new Load(http, query);
    long replicated;
    long afterFault;
    try (load) {
      perNode.forEach(names -> names.forEach(load::use));
      load.use(large);
      load.awaitRounds(20);

      replicated = System.nanoTime();
      dead.awaitReplicatedBy(cluster.replica(dead).orElseThrow());
      fault.accept(dead);
      afterFault = System.nanoTime();
      cluster.awaitTakeover(slot, dead);
      assertEquals(200, http.send("GET", "/q/health/ready", "", null).status());
      if (query.isEmpty()) {
        load.awaitRounds(20);
      }
      repair.accept(dead);
      cluster.awaitWhole();
      load.awaitRounds(20);
    }
    var failures = load.failures();
    assertTrue(failures.size() > 0, "the loss was not noticed at all");
    assertEquals(
        List.of(),
        failures.stream().filter(failure -> healthy.contains(failure.filter())).toList());
    assertTrue(
        failures.stream().allMatch(failure -> AWAY.contains(failure.code())), failures::toString);
    if (query.equals(REPLICATED)) {
      assertEquals(List.of(), load.wrong());
      assertEquals(List.of(), load.lost());
    }
    load.assertLostOnlyAround(replicated, afterFault);
    assertEquals(
        List.of(),
        load.lost().stream()
            .filter(
                lost -> healthy.stream().anyMatch(name -> lost.element().startsWith(name + " ")))
            .toList());
    require(204, http.send("DELETE", "/v1/filters/" + large, JSON, null));
  }

  /** A filter of so many segments that most nodes have some; one of them at least has this one. */
  private String largeFilterWithSegmentOn(TestRedis node) {
    while (true) {
      var name = "large-" + filters++;
      create(name, MANY_SEGMENTS);
      var incarnation = incarnation(name);
      if (IntStream.range(1, SEGMENTS)
          .anyMatch(i -> cluster.owner("bloom:{" + incarnation + "/" + i + "}:state") == node)) {
        return name;
      }
      require(204, http.send("DELETE", "/v1/filters/" + name, JSON, null));
    }
  }

  @Test
  void aFilterThatHasAdoptedAKeyCannotLeaveItsSlotAndNothingIsLeft() {
    var name = "adopted-" + filters++;
    var other = "elsewhere-" + filters++;
    var path = "/v1/filters/" + name;
    create(
        name,
        "{\"redisKey\": \"%s\", \"hashScheme\": \"go-zero\", \"bitSize\": 1024}".formatted(name));
    var refused = http.send("POST", path + "/rename", JSON, bytes("{\"to\": \"" + other + "\"}"));
    require(400, refused);
    assertTrue(text(refused).contains("such as '" + name + "'"), text(refused));
    for (var list : List.of("bloom:catalogue", "bloom:unsettled", "bloom:schedule")) {
      assertEquals(null, cluster.owner(list).command("ZSCORE", list, other), list);
    }
    require(200, http.send("GET", path, JSON, null));
  }

  @Test
  void slotsThatMoveUnderLoadAreNotFelt() {
    var names = new ArrayList<String>();
    filtersOnEveryPrimary().forEach(names::addAll);
    var large = "large-" + filters++;
    create(large, SEVERAL_SEGMENTS);
    names.add(large);
    var load = new Load(http, "");
    try (load) {
      names.forEach(load::use);
      load.awaitRounds(20);
      for (var round = 0; round < ROUNDS; round++) {
        for (var name : names) {
          moveToNext(MovedOperation.stateKey(name));
        }
        moveToNext("bloom:{" + incarnation(large) + "/1}:state");
        moveToNext("bloom:{" + incarnation(large) + "/2}:state");
        moveToNext("bloom:catalogue");
        load.awaitRounds(10);
      }
    }
    assertEquals(List.of(), load.failures());
    assertEquals(List.of(), load.wrong());
    assertEquals(List.of(), load.lost());
    // Their versions prove copies on a cluster too.
    assertFalse(
        text(http.send("GET", "/q/metrics", JSON, null)).contains("bloom_copies_bytes 0.0"));
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

  /** How far a slot has been moved when an operation comes. */
  private enum Stage {
    BEGUN,
    HALF,
    NEARLY_DONE
  }

  @Test
  void everyOperationOfTheContractIsTried() throws IOException {
    var tried =
        Arrays.stream(MovedOperation.values())
            .map(MovedOperation::id)
            .collect(Collectors.toCollection(TreeSet::new));
    tried.addAll(MovedOperation.WITHOUT_REDIS);
    assertEquals(ContractOperations.ids(), tried);
  }

  @Test
  void anOperationOnASlotThatMovesIsDoneOrRefusedButNeverByHalf() {
    var members =
        Stream.concat(Stream.of(MEMBERS), MovedOperation.ELEMENTS.stream()).toArray(String[]::new);
    cluster.owner(MEMBERS).command("SADD", members);
    var stages = List.of(Stage.values());
    var shapes = List.of(ONE_SEGMENT, SEVERAL_SEGMENTS);
    var seed = System.nanoTime();
    System.out.println("anOperationOnASlotThatMovesIsDoneOrRefusedButNeverByHalf: seed " + seed);
    var random = new Random(seed);
    for (var operation : MovedOperation.values()) {
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
    // So that there is something to move, also where there is no filter yet.
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
    var refused = cluster.refusedToTryAgain();
    var answer = new AtomicReference<PlainHttp.Answer>();
    var asking = Beside.run(() -> answer.set(operation.send(http, filters)));
    // What waits for the rest of the keys need not wait in vain.
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> asking.isDone() || cluster.refusedToTryAgain() > refused + 2);
    cluster.moveKeys(slot, from, to, Integer.MAX_VALUE);
    cluster.endMove(slot, from, to);
    asking.join();
    var told = answer.get();

    var what = operation + " at " + stage + ": " + told.status() + " " + text(told);
    var isDone = told.status() < 300;
    assertTrue(isDone ? operation.isTrue(told) : isAway(told), what);
    if (!isDone) {
      // What was refused can be done now, or was done but for what follows by itself.
      var again = operation.send(http, filters);
      isDone = again.status() < 300;
      assertTrue(
          isDone || (operation.ends() && again.status() == 404),
          () -> what + ", then " + text(again));
    }
    assertHolds(filters.name(), operation.drops() ? 0 : MovedOperation.ELEMENTS.size(), what);
    assertHolds(filters.fresh(), operation.fills() ? MovedOperation.ELEMENTS.size() : 0, what);
    assertEquals(operation.makes(), isThere(filters.fresh()), what);
    for (var name : List.of(filters.name(), filters.other(), filters.fresh())) {
      http.send("DELETE", "/v1/filters/" + name, JSON, null);
    }
  }

  private MovedOperation.Filters prepare(String shape, MovedOperation operation) {
    var name = "moving-" + filters++;
    var other = "other-of-" + name;
    var path = "/v1/filters/" + name;
    create(name, operation.counts() ? counting(shape) : shape);
    require(200, http.send("POST", path + "/add", JSON, MovedOperation.elements("held-")));
    if (operation.counts()) {
      require(200, http.send("POST", path + "/add", JSON, oneElement("gone")));
    }
    var source = bytes("{\"redisKey\": \"" + MEMBERS + "\"}");
    require(200, http.send("PUT", path + "/source", JSON, source));
    if (operation.id().equals("mergeFilters")) {
      create(other, shape);
      require(200, http.send("POST", "/v1/filters/" + other + "/add", JSON, oneElement("more")));
    }
    var file = new byte[0];
    if (operation.id().equals("importFilter")) {
      file = http.send("GET", path + "/export", JSON, null).body();
    }
    if (operation.hasRebuild()) {
      require(201, http.send("POST", path + "/rebuild", JSON, null));
      require(
          200, http.send("POST", path + "/rebuild/add", JSON, MovedOperation.elements("held-")));
    }
    return new MovedOperation.Filters(name, other, "new-" + name, shape, file);
  }

  private static String counting(String shape) {
    var insertions = shape.equals(ONE_SEGMENT) ? 50_000 : 1_000_000;
    return "{\"expectedInsertions\": %d, \"falsePositiveProbability\": 0.0001, \"counting\": true}"
        .formatted(insertions);
  }

  /** A filter is whole and holds so many of the elements, or is not there and no part of it. */
  private void assertHolds(String name, int elements, String what) {
    var path = "/v1/filters/" + name;
    var tested = http.send("POST", path + "/test", JSON, MovedOperation.elements("held-"));
    if (isThere(name)) {
      require(200, tested);
      assertEquals(elements, Load.json(tested).get("mightContainCount").asInt(), what);
      require(200, http.send("POST", path + "/add", JSON, oneElement("after")));
    } else {
      assertEquals(0, elements, what);
      require(404, tested);
    }
  }

  private boolean isThere(String name) {
    var found = http.send("GET", "/v1/filters/" + name, JSON, null);
    assertTrue(found.status() == 200 || found.status() == 404, () -> text(found));
    return found.status() == 200;
  }

  private static boolean isAway(PlainHttp.Answer answer) {
    return answer.status() == 503
        // An answer to HEAD has no body.
        && (answer.body().length == 0
            || Load.json(answer).get("code").asText().equals("STORE_UNAVAILABLE"));
  }

  private static final String JSON = "application/json";
  private static final String MEMBERS = "members-of-moving";
  private static final String ONE_SEGMENT =
      "{\"expectedInsertions\": 100000, \"falsePositiveProbability\": 0.000001}";
  private static final String SEVERAL_SEGMENTS =
      "{\"bitSize\": 50331648, \"numHashFunctions\": 20}";
  private static final int SEGMENTS = 8;
  private static final String MANY_SEGMENTS = "{\"bitSize\": 134217728, \"numHashFunctions\": 20}";

  private static byte[] oneElement(String element) {
    return bytes("{\"elements\": [\"" + element + "\"]}");
  }

  private static void require(int status, PlainHttp.Answer answer) {
    assertEquals(status, answer.status(), () -> text(answer));
  }

  private String incarnation(String name) {
    var generation =
        cluster
            .owner(MovedOperation.stateKey(name))
            .command("HGET", MovedOperation.stateKey(name), "generation")
            .toString();
    return generation.substring(0, generation.indexOf('.'));
  }

  /** Two filters on each primary. */
  private List<List<String>> filtersOnEveryPrimary() {
    var owners = new ArrayList<TestRedis>();
    var names = new ArrayList<List<String>>();
    while (names.size() < TestCluster.PRIMARIES
        || names.stream().anyMatch(some -> some.size() < 2)) {
      var name = "loaded-" + filters++;
      var owner = cluster.owner(MovedOperation.stateKey(name));
      if (!owners.contains(owner)) {
        owners.add(owner);
        names.add(new ArrayList<>());
      }
      var some = names.get(owners.indexOf(owner));
      if (some.size() < 2) {
        create(name, ONE_SEGMENT);
        some.add(name);
      }
    }
    return names;
  }

  private void create(String name, String shape) {
    require(201, http.send("PUT", "/v1/filters/" + name, JSON, bytes(shape)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(PlainHttp.Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
