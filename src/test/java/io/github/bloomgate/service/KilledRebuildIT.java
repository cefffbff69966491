package io.github.bloomgate.service;

import static io.github.bloomgate.service.TestInstance.await;
import static io.github.bloomgate.service.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Law 1 where the service that rebuilds is killed at any moment, and another goes on adding. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class KilledRebuildIT {

  private static final int KILLS = 5;
  private static final int MOST_REQUESTS = 40;
  private static final String LISTENING = "Listening on: http://0.0.0.0:";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final HttpClient http = HttpClient.newHttpClient();
  private final SourceOfTruth source = new SourceOfTruth();
  private final FilterName name = name();
  private final AtomicInteger commits = new AtomicInteger();

  @Test
  void nothingIsLostAndNothingIsLeft() throws Exception {
    System.out.println("nothingIsLostAndNothingIsLeft: seed " + seed);
    var adds = 0L;
    try (var redis = TestRedis.started();
        var other = new TestInstance(redis);
        var hasty = new TestInstance(redis, new HastyClock())) {
      other.create(name, TestInstance.shape(1L << 24, 3));
      var done = new CompletableFuture<Void>();
      var writer = Beside.run(() -> write(other, done));
      try {
        for (var kill = 0; kill < KILLS; kill++) {
          rebuildUntilKilled(redis);
          var before = source.size();
          Awaitility.await()
              .atMost(PATIENCE)
              .until(() -> source.size() > before + 2 || writer.isDone());
          assertAllThere(other);
          settle(redis, other, hasty);
        }
      } finally {
        done.complete(null);
      }
      writer.get(60, TimeUnit.SECONDS);
      assertAllThere(other);
      other.assertCountsAreExact(name);
      adds = source.acknowledged(0).size();
      var filter = other.describe(name).filter();
      await(other.changes.delete(name));
      other.assertNothingLeft(filter);
      assertEquals(List.of(), other.keysWith("{"));
    }
    System.out.printf("%d adds beside %d commits and %d kills%n", adds, commits.get(), KILLS);
    assertTrue(commits.get() > 0, "no rebuild was ever committed");
  }

  private void write(TestInstance instance, CompletableFuture<Void> done) {
    var own = new Random(seed + 1);
    while (!done.isDone()) {
      var batch = source.note(own, 1 + own.nextInt(50));
      instance.add(name, batch.elements);
      batch.acknowledged = true;
    }
  }

  /** Opens, loads and commits over HTTP; the kill comes beside, after some number of requests. */
  private void rebuildUntilKilled(TestRedis redis) throws Exception {
    var service = launch(redis);
    try (var output = output(service)) {
      var url = "http://localhost:" + port(output) + "/v1/filters/" + name + "/rebuild";
      // Whatever it logs must not fill the pipe.
      var drain = Beside.run(() -> output.lines().forEach(line -> {}));
      var requests = new AtomicInteger();
      var killed = 1 + random.nextInt(MOST_REQUESTS);
      var own = new Random(random.nextLong());
      var rebuilding = Beside.run(() -> rebuild(url, own, requests));
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> requests.get() >= killed || rebuilding.isDone());
      service.destroyForcibly();
      service.waitFor();
      rebuilding.get(60, TimeUnit.SECONDS);
      drain.get(60, TimeUnit.SECONDS);
    } finally {
      service.destroyForcibly();
    }
  }

  private void rebuild(String url, Random own, AtomicInteger requests) {
    try {
      while (true) {
        var bits = (1 + own.nextInt(3)) * (1L << 24);
        var shape = "{\"bitSize\": " + bits + ", \"numHashFunctions\": 3}";
        requests.incrementAndGet();
        var opened = post(url, shape);
        // One that was open when the service before was killed cannot be relied on: its source
        // may have been read in part only.
        assertEquals(201, opened.statusCode(), opened.body());
        assertTrue(opened.body().contains("\"open\""), opened.body());
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

  private static String body(List<byte[]> elements) {
    return elements.stream()
        .map(element -> '"' + HexFormat.of().formatHex(element) + '"')
        .collect(Collectors.joining(",", "{\"encoding\":\"hex\",\"elements\":[", "]}"));
  }

  private HttpResponse<String> post(String url, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  /**
   * What the killed one left half done is finished by another, and what it left open is aborted.
   */
  private void settle(TestRedis redis, TestInstance other, TestInstance hasty) {
    await(hasty.settler.settleAbandoned());
    var next = other.describe(name).rebuild().map(open -> open.rebuild().next());
    if (next.isPresent()) {
      assertTrue(next.get().isReady(), "not finished");
      redis.command("HSET", TestStores.nextKeys(name).get(0), "abandonedAt", "1");
      await(hasty.settler.settleAbandoned());
    }
    var now = other.describe(name);
    assertEquals(Optional.empty(), now.rebuild());
    other.assertSettled(name);
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

  private void assertAllThere(TestInstance instance) {
    var all = source.acknowledged(0);
    for (var from = 0; from < all.size(); from += ElementService.MAX_ELEMENTS) {
      instance.assertMaybe(
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
