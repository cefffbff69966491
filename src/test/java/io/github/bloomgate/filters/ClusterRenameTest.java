package io.github.bloomgate.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestCluster;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a cluster of several nodes; and at random, under load. */
@Tag("topology")
class ClusterRenameTest extends RenameAcrossSlots {

  private static final int RENAMES = 30 * TestExtent.of("test.cluster-rounds", 1, 40);

  private static TestCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = TestCluster.started();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @BeforeEach
  void start() {
    startInstances();
  }

  @AfterEach
  void stop() {
    closeInstances();
  }

  /**
   * One filter goes to and fro between two names, now and then by an instance that dies on the way,
   * while others add to it and test it under whichever name it has. Of one that forgets slices
   * begin meanwhile, by the clocks of two nodes.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsLostWhileWritersAndTestersMeetRenames(boolean forgets) {
    var seed = System.nanoTime();
    System.out.println("nothingIsLostWhileWritersAndTestersMeetRenames: seed " + seed);
    var random = new Random(seed);
    var one = newName();
    var names = List.of(one, inAnotherSlot(one));
    first.create(one, forgets ? TestWindows.sized(200_000, TestWindows.MINUTE) : ONE);
    var acknowledged = new CopyOnWriteArrayList<byte[]>();
    var running = new AtomicBoolean(true);
    var others =
        Stream.of(first, second)
            .flatMap(
                instance ->
                    Stream.of(
                        Beside.run(() -> add(instance, names, acknowledged, running)),
                        Beside.run(() -> test(instance, names, acknowledged, running))))
            .toList();
    var dead = new ArrayList<TestInstance>();
    try {
      var current = 0;
      for (var i = 0; i < RENAMES; i++) {
        var from = names.get(current);
        var to = names.get(1 - current);
        if (random.nextInt(4) == 0) {
          var dying = stepwise();
          dead.add(dying);
          dying.steps().hold();
          var unused = dying.begin(() -> dying.renames.rename(from, to, false));
          dying.go(random.nextInt(50));
          current = isThere(first, from) ? current : 1 - current;
        } else {
          (random.nextBoolean() ? first : second).renames.rename(from, to, false);
          current = 1 - current;
        }
      }
      running.set(false);
      others.forEach(CompletableFuture::join);
      first.assertMaybe(names.get(current), acknowledged);
      assertTrue(acknowledged.size() > RENAMES, "too few adds to tell anything");
    } finally {
      running.set(false);
      dead.forEach(TestInstance::close);
    }
  }

  private static boolean isThere(TestInstance instance, FilterName name) {
    return unlessGone(() -> instance.describe(name)).isPresent();
  }

  private static void add(
      TestInstance instance,
      List<FilterName> names,
      List<byte[]> acknowledged,
      AtomicBoolean running) {
    for (var i = 0; running.get(); i++) {
      var element = TestInstance.element(instance.hashCode() + " " + i);
      var name = names.get(i % 2);
      if (unlessGone(() -> instance.add(name, List.of(element))).isPresent()) {
        acknowledged.add(element);
      }
    }
  }

  private static void test(
      TestInstance instance,
      List<FilterName> names,
      List<byte[]> acknowledged,
      AtomicBoolean running) {
    for (var i = 0; running.get(); i++) {
      var all = List.copyOf(acknowledged);
      var known = all.subList(Math.max(0, all.size() - 50), all.size());
      var name = names.get(i % 2);
      if (!known.isEmpty()) {
        unlessGone(() -> instance.test(name, known))
            .ifPresent(
                found -> {
                  for (var maybe : found) {
                    assertTrue(maybe, "an element that was acknowledged");
                  }
                });
      }
    }
  }

  /** What is answered unless the filter has the other name. */
  private static <T> Optional<T> unlessGone(Supplier<T> call) {
    try {
      return Optional.of(call.get());
    } catch (BloomException e) {
      assertEquals(ErrorCode.FILTER_NOT_FOUND, e.code(), e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  TestInstance instance(Clock clock) {
    return TestInstance.ofCluster(cluster.node(0), cluster.options(), clock);
  }

  @Override
  TestInstance stepwise() {
    return TestInstance.stepwise(cluster.node(0), cluster.options());
  }

  @Override
  List<TestRedis> primaries() {
    return cluster.nodes().subList(0, TestCluster.PRIMARIES);
  }

  @Override
  TestRedis owner(String key) {
    return cluster.owner(key);
  }
}
