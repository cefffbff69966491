package io.github.bloomgate.rebuild;

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
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
  private static final String LISTENING = "Listening on: http://0.0.0.0:";
  private static final Duration PATIENCE = TestInstance.PATIENCE;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final HttpClient http = HttpClient.newHttpClient();
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
      var service = launch(redis);
      try (var output = output(service)) {
        var port = port(output);
        // Whatever it logs must not fill the pipe.
        var drain = Beside.run(() -> output.lines().forEach(line -> {}));
        // The first is killed late, so that there are commits.
        killWhileRebuilding(service, port, kill == 0 ? MOST_REQUESTS : mostRequests());
        drain.get(60, TimeUnit.SECONDS);
      } finally {
        service.destroyForcibly();
      }
    }
    assertEquals(List.of(), other.keysWith("{"));
    System.out.printf("%d adds beside %d commits and %d kills%n", adds.get(), commits.get(), KILLS);
    assertTrue(commits.get() > 0, "no rebuild was ever committed");
  }

  private int mostRequests() {
    return 1 + random.nextInt(MOST_REQUESTS);
  }

  private void killWhileRebuilding(Process service, int port, int killed) throws Exception {
    var name = name();
    var source = new SourceOfTruth();
    other.create(name, TestInstance.shape(1L << 24, 3));
    var done = new CompletableFuture<Void>();
    var writer = Beside.run(() -> write(name, source, done));
    try {
      var requests = new AtomicInteger();
      var own = new Random(random.nextLong());
      var rebuilding = Beside.run(() -> rebuild(port, name, source, own, requests));
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> requests.get() >= killed || rebuilding.isDone());
      service.destroyForcibly().waitFor();
      rebuilding.get(60, TimeUnit.SECONDS);
      var before = source.size();
      Awaitility.await()
          .atMost(PATIENCE)
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
      int port, FilterName name, SourceOfTruth source, Random own, AtomicInteger requests) {
    var url = "http://localhost:" + port + "/v1/filters/" + name + "/rebuild";
    try {
      while (true) {
        var bits = (1 + own.nextInt(3)) * (1L << 24);
        var shape = "{\"bitSize\": " + bits + ", \"numHashFunctions\": 3}";
        requests.incrementAndGet();
        var opened = post(url, shape);
        assertEquals(201, opened.statusCode(), opened.body());
        awaitOpen(url, opened);
        var all = source.read();
        for (var from = 0; from < all.size(); from += ElementService.MAX_ELEMENTS) {
          var part = all.subList(from, Math.min(all.size(), from + ElementService.MAX_ELEMENTS));
          requests.incrementAndGet();
          var loaded = post(url + "/add", body(part));
          assertEquals(200, loaded.statusCode(), loaded.body());
        }
        requests.incrementAndGet();
        var committed = post(url + "/commit", "{}");
        assertEquals(200, committed.statusCode(), committed.body());
        commits.incrementAndGet();
      }
    } catch (IOException killed) {
      return;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where segments are made slowly, the answer is that they are being made. */
  private void awaitOpen(String url, HttpResponse<String> opened)
      throws IOException, InterruptedException {
    var rebuild = opened;
    while (rebuild.body().contains("\"opening\"")) {
      rebuild = http.send(request(url).GET().build(), BodyHandlers.ofString());
      assertEquals(200, rebuild.statusCode(), rebuild.body());
    }
    assertTrue(rebuild.body().contains("\"open\""), rebuild.body());
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE);
  }

  private static String body(List<byte[]> elements) {
    return elements.stream()
        .map(element -> '"' + HexFormat.of().formatHex(element) + '"')
        .collect(Collectors.joining(",", "{\"encoding\":\"hex\",\"elements\":[", "]}"));
  }

  private HttpResponse<String> post(String url, String body)
      throws IOException, InterruptedException {
    var request =
        request(url)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
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

  private static Process launch(TestRedis redis) {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-Dquarkus.http.host=0.0.0.0",
              "-Dquarkus.http.port=0",
              "-Dquarkus.redis.hosts=" + redis.uri(),
              // No machine stalls for so long.
              "-Dbloomgate.redis.call-timeout=60s",
              "-jar",
              Path.of("target", "quarkus-app", "quarkus-run.jar").toString())
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BufferedReader output(Process service) {
    return new BufferedReader(
        new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8));
  }

  private static int port(BufferedReader output) {
    var line = output.lines().filter(text -> text.contains(LISTENING)).findFirst().orElseThrow();
    var from = line.indexOf(LISTENING) + LISTENING.length();
    var end = from;
    while (end < line.length() && Character.isDigit(line.charAt(end))) {
      end++;
    }
    return Integer.parseInt(line.substring(from, end));
  }
}
