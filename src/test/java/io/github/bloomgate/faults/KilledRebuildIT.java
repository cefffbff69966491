package io.github.bloomgate.faults;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.HastyClock;
import io.github.bloomgate.support.SourceOfTruth;
import io.github.bloomgate.support.TestInstance;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Law 1 where the service that rebuilds is killed at any moment, and another goes on adding. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("faults")
class KilledRebuildIT {

  private static final int KILLS = 5;
  private static final int MOST_REQUESTS = 40;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicLong adds = new AtomicLong();

  private TestRedis redis;
  private TestInstance other;
  private TestInstance hasty;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    other = new TestInstance(redis);
    hasty = new TestInstance(redis, new HastyClock());
  }

  @AfterEach
  void stop() {
    other.close();
    hasty.close();
    redis.close();
  }

  @Test
  void nothingIsLostAndNothingIsLeft() throws Exception {
    System.out.println("nothingIsLostAndNothingIsLeft: seed " + seed);
    for (var kill = 0; kill < KILLS; kill++) {
      try (var service = PackagedService.start(redis.uri())) {
        // The first is killed late, so that there are commits.
        killWhileRebuilding(service, kill == 0 ? MOST_REQUESTS : mostRequests());
      }
    }
    assertEquals(List.of(), other.keysWith("{"));
    System.out.printf("%d adds beside %d commits and %d kills%n", adds.get(), commits.get(), KILLS);
    assertTrue(commits.get() > 0, "no rebuild was ever committed");
  }

  private int mostRequests() {
    return 1 + random.nextInt(MOST_REQUESTS);
  }

  private void killWhileRebuilding(PackagedService service, int killed) throws Exception {
    var name = name();
    var source = new SourceOfTruth();
    other.create(name, TestInstance.shape(1L << 24, 3));
    var done = new CompletableFuture<Void>();
    var writer = Beside.run(() -> write(name, source, done));
    try {
      var requests = new AtomicInteger();
      var own = new Random(random.nextLong());
      var rebuilding = Beside.run(() -> rebuild(service, name, source, own, requests));
      Awaitility.await()
          .atMost(FaultRun.PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> requests.get() >= killed || rebuilding.isDone());
      service.kill();
      rebuilding.get(60, TimeUnit.SECONDS);
      var before = source.size();
      Awaitility.await()
          .atMost(FaultRun.PATIENCE)
          .until(() -> source.size() > before + 2 || writer.isDone());
      assertAllThere(name, source);
      reconcile(name);
    } finally {
      done.complete(null);
    }
    writer.get(60, TimeUnit.SECONDS);
    assertAllThere(name, source);
    other.assertCountsAreExact(name);
    adds.addAndGet(source.acknowledged(0).size());
    var filter = other.describe(name).filter();
    other.changes.delete(name, false);
    other.assertNothingLeft(filter);
  }

  private void write(FilterName name, SourceOfTruth source, CompletableFuture<Void> done) {
    var own = new Random(seed);
    while (!done.isDone()) {
      var batch = source.note(own, 1 + own.nextInt(5));
      other.add(name, batch.elements);
      batch.acknowledged = true;
    }
  }

  /** Opens, loads and commits over HTTP until the service is killed. */
  private void rebuild(
      PackagedService service,
      FilterName name,
      SourceOfTruth source,
      Random own,
      AtomicInteger requests) {
    var path = "/v1/filters/" + name + "/rebuild";
    try {
      while (true) {
        var bits = (1 + own.nextInt(3)) * (1L << 24);
        var shape = "{\"bitSize\": " + bits + ", \"numHashFunctions\": 3}";
        requests.incrementAndGet();
        awaitOpen(service, path, service.done("POST", path, shape));
        var all = source.read();
        for (var from = 0; from < all.size(); from += ElementService.MAX_ELEMENTS) {
          var part = all.subList(from, Math.min(all.size(), from + ElementService.MAX_ELEMENTS));
          requests.incrementAndGet();
          service.done("POST", path + "/add", body(part));
        }
        requests.incrementAndGet();
        service.done("POST", path + "/commit", "{}");
        commits.incrementAndGet();
      }
    } catch (UncheckedIOException killed) {
      return;
    }
  }

  /** Where segments are made slowly, the answer is that they are being made. */
  private static void awaitOpen(PackagedService service, String path, String opened) {
    var rebuild = opened;
    while (rebuild.contains("\"opening\"")) {
      rebuild = service.done("GET", path, "");
    }
    assertTrue(rebuild.contains("\"open\""), rebuild);
  }

  private static String body(List<byte[]> elements) {
    return elements.stream()
        .map(element -> '"' + HexFormat.of().formatHex(element) + '"')
        .collect(Collectors.joining(",", "{\"encoding\":\"hex\",\"elements\":[", "]}"));
  }

  /**
   * What the killed one left half done is finished by another, and what it left open is aborted.
   */
  private void reconcile(FilterName name) {
    hasty.reconciler.reconcileAbandoned();
    var next = other.describe(name).rebuild().map(open -> open.rebuild().next());
    if (next.isPresent()) {
      assertTrue(next.get().isReady(), "not finished");
      redis.command("HSET", TestStores.nextKeys(name).get(0), "abandonedAt", "1");
      hasty.reconciler.reconcileAbandoned();
    }
    var now = other.describe(name);
    assertEquals(Optional.empty(), now.rebuild());
    other.assertReconciled(name);
    var filter = now.filter();
    var keys =
        IntStream.range(1, filter.shape().segments())
            .boxed()
            .flatMap(segment -> TestStores.keys(filter, segment).stream())
            .sorted()
            .toList();
    assertEquals(keys, other.keysWith("/").stream().sorted().toList(), "seed " + seed);
    assertEquals(List.of(), other.keysWith(":next"));
  }

  private void assertAllThere(FilterName name, SourceOfTruth source) {
    var all = source.acknowledged(0);
    for (var from = 0; from < all.size(); from += ElementService.MAX_ELEMENTS) {
      other.assertMaybe(
          name, all.subList(from, Math.min(all.size(), from + ElementService.MAX_ELEMENTS)));
    }
  }
}
