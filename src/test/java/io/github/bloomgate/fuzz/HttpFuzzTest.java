package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.fuzz.Contract.Operation;
import io.github.bloomgate.fuzz.HttpConnection.Answer;
import io.github.bloomgate.support.Beside;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random requests, made from the contract, to every operation of a running service. */
@QuarkusTest
@Tag("fuzz")
class HttpFuzzTest {

  private static final long SEED = Long.getLong("test.fuzz-seed", System.nanoTime());
  private static final long REQUESTS = TestExtent.of("test.fuzz-requests", 4_000L, 500_000L);
  private static final long ONLY = Long.getLong("test.fuzz-index", -1);
  private static final int WORKERS = 16;

  /**
   * Requests after which a worker looks at its filters; few, as one that is accepted and changes
   * them ends the comparison.
   */
  private static final int REST = 10;

  private static final int MOST_MISTAKES = 40;

  /** What changes a filter that only the body names, which may be one that is kept. */
  private static final Set<String> WRITES_ELSEWHERE = Set.of("copyFilter", "renameFilter");

  /** So many that each operation is called often with nothing wrong. */
  private static final long ENOUGH_FOR_ALL = 50_000;

  private static final Pattern LABELS =
      Pattern.compile("http_server_requests_seconds_count\\{method=\"([^\"]*)\".*uri=\"([^\"]*)\"");
  private static final Pattern TIMEOUTS =
      Pattern.compile("(?m)^bloom_redis_timeouts_total(?:\\{[^}]*})? ([0-9.E]+)$");
  private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_]+)\"");
  private static final Set<String> METHODS =
      Set.of(
          "GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "OTHER");

  /** What is counted besides the paths of the contract. */
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
  private final Map<String, String> mistakes = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> statuses = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> successes = new ConcurrentSkipListMap<>();

  @Test
  @Timeout(value = 8, unit = TimeUnit.HOURS)
  void everyAnswerIsInTheContractAndWhatIsRefusedChangesNothing() throws Exception {
    System.out.printf("HTTP fuzz: -Dtest.fuzz-seed=%d, %d requests%n", SEED, REQUESTS);
    var contract = Contract.read();
    var timeoutsBefore = timeouts();
    redis.run("SADD", prefix + "set", "a", "b", "c");
    try (var errors = new LoggedErrors()) {
      var cases = new HttpCases(contract, SEED, WORKERS, prefix, files());
      var workers = new ArrayList<CompletableFuture<Void>>();
      for (var i = 0; i < WORKERS; i++) {
        var worker = new Worker(cases, contract, i);
        workers.add(Beside.run(worker::run));
      }
      for (var worker : workers) {
        worker.get();
      }
      System.out.println("HTTP fuzz: " + statuses);
      System.out.println("HTTP fuzz, successes: " + successes);
      assertEquals("", String.join("\n\n", mistakes.values()), "seed " + SEED);
      assertEquals(List.of(), errors.seen(), "log, seed " + SEED);
    }
    assertFewFailed(timeoutsBefore);
    assertEveryOperationSucceeded(contract);
    assertLabelsAreOfTheContract(contract);
    assertIsWell();
    assertNothingIsLeft();
    // Else each stop of the service would wait for them.
    org.awaitility.Awaitility.await()
        .atMost(java.time.Duration.ofMinutes(3))
        .untilAsserted(() -> assertEquals("", requests.told()));
  }

  private Map<String, byte[]> files() throws IOException {
    try (var http = new HttpConnection(RestAssured.port)) {
      var sample = new Kept(http, redis, new Names(prefix, WORKERS));
      sample.make();
      return sample.files();
    }
  }

  /**
   * A busy machine may leave Redis no time for seconds; nothing else may fail so. A call that ran
   * out of time may be that of every worker, and so may the next one.
   */
  private void assertFewFailed(double timeoutsBefore) {
    var timeouts = timeouts() - timeoutsBefore;
    var text = "%s, %.0f timeouts".formatted(statuses, timeouts);
    assertTrue(failed("50[34] STORE.*") <= 2 * WORKERS * timeouts, text);
    assertTrue(failed("5.*") <= REQUESTS / 100, text);
  }

  private long failed(String pattern) {
    return statuses.entrySet().stream()
        .filter(status -> status.getKey().matches(pattern))
        .mapToLong(status -> status.getValue().sum())
        .sum();
  }

  /** Else what is checked of good answers would be checked of none. */
  private void assertEveryOperationSucceeded(Contract contract) {
    if (ONLY < 0 && REQUESTS >= ENOUGH_FOR_ALL) {
      assertEquals(
          contract.operations().stream().map(Operation::id).toList(),
          List.copyOf(successes.keySet()),
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

  /** No name, and nothing else that a client thinks up, becomes a label of a metric. */
  private static void assertLabelsAreOfTheContract(Contract contract) {
    var strange =
        LABELS
            .matcher(RestAssured.get("/q/metrics").asString())
            .results()
            .filter(
                labels ->
                    !METHODS.contains(labels.group(1))
                        || (!OTHER_PATHS.contains(labels.group(2))
                            && contract.methods(labels.group(2)).isEmpty()))
            .map(MatchResult::group)
            .toList();
    assertEquals(List.of(), strange);
  }

  private void assertIsWell() throws IOException {
    try (var http = new HttpConnection(RestAssured.port)) {
      var kept = new Kept(http, redis, new Names(prefix, WORKERS));
      kept.make();
      assertEquals("", kept.changes());
    }
    RestAssured.get("/q/health/ready").then().statusCode(200);
  }

  /** Every filter can be deleted, and nothing of it is left. */
  private void assertNothingIsLeft() throws IOException {
    try (var http = new HttpConnection(RestAssured.port)) {
      var kept = new Kept(http, redis, new Names(prefix, WORKERS));
      for (List<String> names = names(); !names.isEmpty(); names = names()) {
        for (var name : names) {
          assertEquals(204, kept.call("DELETE", name, "?deleteKey=true", "").status(), name);
        }
      }
    }
    redis.run("DEL", prefix + "set");
    // A filter that is deleted or expires leaves the key that it has adopted to its owner.
    for (var owned : List.of(prefix + "*-key?", "{" + prefix + "*-key?}:config")) {
      for (var adopted : redis.run("KEYS", owned)) {
        redis.run("DEL", adopted.toString());
      }
    }
    org.awaitility.Awaitility.await()
        .atMost(java.time.Duration.ofMinutes(3))
        .untilAsserted(() -> assertEquals("[]", redis.run("KEYS", "*" + prefix + "*").toString()));
  }

  private List<String> names() {
    return RestAssured.given()
        .get("/v1/filters?limit=500&prefix=" + prefix)
        .then()
        .statusCode(200)
        .extract()
        .jsonPath()
        .getList("filters.name");
  }

  private final class Worker {
    private final HttpCases cases;
    private final AnswerCheck check;
    private final int number;

    /** Whether a request that was broken off may still be under way in the service. */
    private boolean brokenOff;

    Worker(HttpCases cases, Contract contract, int number) {
      this.cases = cases;
      this.check = new AnswerCheck(contract);
      this.number = number;
    }

    private void run() {
      try (var http = new HttpConnection(RestAssured.port)) {
        var kept = new Kept(http, redis, cases.names(number));
        kept.make();
        var unchecked = new ArrayList<String>();
        for (long index = number; index < REQUESTS; index += WORKERS) {
          if (mistakes.size() >= MOST_MISTAKES) {
            return;
          }
          if (ONLY < 0 || ONLY == index) {
            one(cases.make(index), http, kept, unchecked);
          }
        }
        look(kept, unchecked);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void one(HttpCase made, HttpConnection http, Kept kept, List<String> unchecked)
        throws IOException {
      var answer = http.send(made.request(), made.endsConnection(), made.isHead());
      statuses.computeIfAbsent(status(answer), status -> new LongAdder()).increment();
      if (isSuccess(made, answer)) {
        successes.computeIfAbsent(made.operation().id(), id -> new LongAdder()).increment();
      }
      var mistake = check.mistake(made, answer);
      if (!mistake.isEmpty() || ONLY >= 0) {
        report(made, answer, mistake);
      }
      if (!made.onKept() && !WRITES_ELSEWHERE.contains(made.operation().id())) {
        return;
      }
      if (mayHaveChanged(made, answer)) {
        kept.make();
        unchecked.clear();
        brokenOff |= !answer.whole();
      } else {
        unchecked.add(
            "%d %s\n-> %d %s"
                .formatted(
                    made.index(),
                    text(made.request(), 200),
                    answer.status(),
                    text(answer.body(), 200)));
        if (unchecked.size() >= REST) {
          look(kept, unchecked);
        }
      }
    }

    /** Whether the operation was done that was meant, and not what a broken path leads to. */
    private static boolean isSuccess(HttpCase made, Answer answer) {
      return answer.status() / 100 == 2
          && answer.whole()
          && !made.has(HttpCase.Flaw.METHOD)
          && !made.has(HttpCase.Flaw.PATH);
    }

    private static String status(Answer answer) {
      var code = CODE.matcher(new String(answer.body(), ISO_8859_1));
      return answer.status() < 500 || !code.find()
          ? "" + answer.status()
          : answer.status() + " " + code.group(1);
    }

    /** Whether an answer says that something was done, wholly or in part. */
    private boolean mayHaveChanged(HttpCase made, Answer answer) {
      if (made.operation().reads() && !made.has(HttpCase.Flaw.METHOD)) {
        return false;
      }
      return answer.status() < 400
          || answer.status() >= 500
          || !answer.whole()
          // A run that was waited for and failed: the filter tells of it.
          || (answer.status() == 409 && made.operation().id().equals("runSource"))
          // Done, and then deleted or renamed by another worker, with whom it shares the name.
          || (answer.status() == 409 && holds(answer, "The request took effect"))
          || holds(answer, "\"appliedCount\"");
    }

    private static boolean holds(Answer answer, String text) {
      return new String(answer.body(), ISO_8859_1).contains(text);
    }

    private void look(Kept kept, List<String> unchecked) throws IOException {
      var changes = kept.changes();
      if (!changes.isEmpty() && brokenOff) {
        kept.make();
      } else if (!changes.isEmpty()) {
        mistakes.put(
            "changed by " + number,
            "A refused request changed a filter: " + changes + "\n" + String.join("\n", unchecked));
        kept.make();
      }
      brokenOff = false;
      unchecked.clear();
    }

    private void report(HttpCase made, Answer answer, String mistake) {
      var kind =
          "%s %s %d %s".formatted(made.operation().id(), made.flaws(), answer.status(), mistake);
      mistakes.putIfAbsent(
          kind,
          "-Dtest.fuzz-seed=%d -Dtest.fuzz-index=%d: %s\n%s\n-> %s %s"
              .formatted(
                  SEED,
                  made.index(),
                  kind,
                  text(made.request(), 600),
                  answer.headers(),
                  text(answer.body(), 600)));
    }
  }

  private static String text(byte[] bytes, int most) {
    var text = new StringBuilder();
    IntStream.range(0, Math.min(bytes.length, most))
        .map(i -> bytes[i] & 0xff)
        .forEach(
            c -> {
              if (c == '\n' || (c >= ' ' && c < 127)) {
                text.append((char) c);
              } else if (c != '\r') {
                text.append("\\x%02x".formatted(c));
              }
            });
    return bytes.length > most ? text + "... (" + bytes.length + " bytes)" : text.toString();
  }
}
