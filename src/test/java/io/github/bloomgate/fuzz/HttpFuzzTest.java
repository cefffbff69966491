package io.github.bloomgate.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.LogRecords;
import io.github.bloomgate.support.RawRedis;
import io.github.bloomgate.support.RequestsUnderWay;
import io.github.bloomgate.support.TestExtent;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random requests, made from the contract, to every operation of a running service. */
@QuarkusTest
@Tag("fuzz")
class HttpFuzzTest {

  private static final long SEED = Long.getLong("test.fuzz-seed", System.nanoTime());
  private static final long REQUESTS = TestExtent.of("test.fuzz-requests", 1_500L, 500_000L);
  private static final long ONLY = Long.getLong("test.fuzz-index", -1);
  private static final int WORKERS = 16;
  private static final int MOST_MISTAKES = 40;

  /** The number of requests that includes enough valid calls of each operation. */
  private static final long ENOUGH_FOR_ALL = 50_000;

  private static final Pattern LABELS =
      Pattern.compile("http_server_requests_seconds_count\\{method=\"([^\"]*)\".*uri=\"([^\"]*)\"");
  private static final Pattern TIMEOUTS =
      Pattern.compile("(?m)^bloom_redis_timeouts_total(?:\\{[^}]*})? ([0-9.E]+)$");
  private static final Set<String> METHODS =
      Set.of(
          "GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "OTHER");

  /** Values of the path label outside the contract. */
  private static final Set<String> OTHER_PATHS =
      Set.of(
          "/",
          "/index.html",
          "/console/{file}",
          "root",
          "NOT_FOUND",
          "REDIRECTION",
          "UNKNOWN",
          "OTHER");

  @Inject RawRedis redis;
  @Inject RequestsUnderWay requests;

  private final String prefix = "fz%x-".formatted(SEED);
  private final HttpFindings findings = new HttpFindings(SEED, ONLY >= 0);

  @Test
  @Timeout(value = 8, unit = TimeUnit.HOURS)
  void responsesMatchTheContractAndRefusalsChangeNothing() throws Exception {
    System.out.printf("HTTP fuzz: -Dtest.fuzz-seed=%d, %d requests%n", SEED, REQUESTS);
    var contract = Contract.read();
    var timeoutsBefore = timeouts();
    var earlier = names();
    redis.run("SADD", prefix + "set", "a", "b", "c");
    try (var errors = LogRecords.ofErrors()) {
      var cases = new HttpCases(contract, SEED, WORKERS, prefix, files());
      var workers = new ArrayList<CompletableFuture<Void>>();
      for (var i = 0; i < WORKERS; i++) {
        var number = i;
        workers.add(InParallel.run(() -> work(cases, contract, number)));
      }
      for (var worker : workers) {
        worker.get();
      }
      System.out.println("HTTP fuzz: " + findings.statuses);
      System.out.println("HTTP fuzz, successes: " + findings.successes);
      assertEquals("", String.join("\n\n", findings.mistakes.values()), "seed " + SEED);
      assertEquals(List.of(), errors.seen(), "log, seed " + SEED);
    }
    assertFewFailed(timeoutsBefore);
    assertEveryOperationSucceeded(contract);
    assertLabelsAreOfTheContract(contract);
    assertIsWell();
    assertNothingIsLeft(earlier);
    // Otherwise, every stop of the service would wait for these requests.
    org.awaitility.Awaitility.await().untilAsserted(() -> assertEquals("", requests.description()));
  }

  private void work(HttpCases cases, Contract contract, int number) {
    try (var http = new HttpConnection(RestAssured.port)) {
      var kept = new Kept(http, cases.names(number));
      kept.make();
      var worker = new HttpFuzzWorker(number, http, kept, new ResponseCheck(contract), findings);
      for (long index = number; index < REQUESTS; index += WORKERS) {
        if (findings.mistakes.size() >= MOST_MISTAKES) {
          return;
        }
        if (ONLY < 0 || ONLY == index) {
          worker.send(cases.make(index));
        }
      }
      worker.look();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, byte[]> files() throws IOException {
    try (var http = new HttpConnection(RestAssured.port)) {
      var sample = new Kept(http, new Names(prefix, WORKERS));
      sample.make();
      return sample.files();
    }
  }

  /**
   * Only timeouts may fail, because Redis may be slow for seconds on a busy machine. One timed-out
   * call may be shared by all workers, and so may the next one.
   */
  private void assertFewFailed(double timeoutsBefore) {
    var timeouts = timeouts() - timeoutsBefore;
    var text = "%s, %.0f timeouts".formatted(findings.statuses, timeouts);
    assertTrue(findings.failed("50[34] STORE.*") <= 2 * WORKERS * timeouts, text);
    assertTrue(findings.failed("5.*") <= REQUESTS / 100, text);
  }

  /** Otherwise, the checks of successful responses would check nothing. */
  private void assertEveryOperationSucceeded(Contract contract) {
    if (ONLY < 0 && REQUESTS >= ENOUGH_FOR_ALL) {
      assertEquals(
          contract.idsOfThoseThatEnd(),
          findings.successes.keySet(),
          "operations that succeeded, seed " + SEED);
    }
  }

  private static double timeouts() {
    return TIMEOUTS
        .matcher(RestAssured.get("/q/metrics").asString())
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  /** No name or other text from a client becomes the label of a metric. */
  private static void assertLabelsAreOfTheContract(Contract contract) {
    var strange =
        LABELS
            .matcher(RestAssured.get("/q/metrics").asString())
            .results()
            .filter(
                labels ->
                    !METHODS.contains(labels.group(1))
                        || (!OTHER_PATHS.contains(labels.group(2))
                            && contract.at(labels.group(2)).isEmpty()))
            .map(MatchResult::group)
            .toList();
    assertEquals(List.of(), strange);
  }

  private void assertIsWell() throws IOException {
    try (var http = new HttpConnection(RestAssured.port)) {
      var kept = new Kept(http, new Names(prefix, WORKERS));
      kept.make();
      assertEquals("", kept.changes());
    }
    RestAssured.get("/q/health/ready").then().statusCode(200);
  }

  /** Every filter can be deleted, and leaves nothing behind. */
  private void assertNothingIsLeft(Set<String> earlier) throws IOException {
    try (var http = new HttpConnection(RestAssured.port)) {
      var kept = new Kept(http, new Names(prefix, WORKERS));
      var gone = new TreeSet<String>();
      for (var names = names();
          !earlier.containsAll(names) && !gone.containsAll(names);
          names = names()) {
        names.removeAll(earlier);
        for (var name : names) {
          var status = kept.call("DELETE", name, "?deleteKey=true", "").status();
          // It may have just expired. Keys that are left are found below.
          assertTrue(status == 204 || status == 404, () -> name + ": " + status);
          gone.add(name);
        }
      }
    }
    redis.run("DEL", prefix + "set");
    // A filter that is deleted or expires leaves its adopted key to the owner.
    for (var owned : List.of(prefix + "*-key?", "{" + prefix + "*-key?}:config")) {
      for (var adopted : redis.run("KEYS", owned)) {
        redis.run("DEL", adopted.toString());
      }
    }
    org.awaitility.Awaitility.await().untilAsserted(() -> assertEquals(List.of(), keysLeft()));
  }

  private List<String> keysLeft() {
    var keys = new ArrayList<String>();
    redis.run("KEYS", "*" + prefix + "*").forEach(key -> keys.add(key.toString()));
    return keys;
  }

  /**
   * The names of all filters. One may lack the prefix, because a flaw in a body can change its
   * name.
   */
  private static Set<String> names() {
    var names = new TreeSet<String>();
    var cursor = "";
    do {
      var page = RestAssured.get("/v1/filters?limit=500" + cursor).then().statusCode(200).extract();
      names.addAll(page.jsonPath().getList("filters.name"));
      var next = page.jsonPath().getString("nextCursor");
      cursor = next == null ? "" : "&cursor=" + next;
    } while (!cursor.isEmpty());
    return names;
  }
}
