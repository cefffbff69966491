package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.InParallel;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Clients that add elements to three filters all the time, one of them of several segments and one
 * that opens layer after layer, and test what was acknowledged. Whatever happens, none of that may
 * be denied.
 */
final class SteadyLoad implements AutoCloseable {

  private static final int CLIENTS = 3;
  private static final int BATCH = 5;
  private static final int MOST_PER_TEST = 10_000;

  /**
   * Between the rounds of a client, so that the number of elements is one that can be asked for.
   */
  private static final Duration PACE = Duration.ofMillis(10);

  /** Allowed errors while Redis is unavailable. */
  private static final Set<String> AWAY = Set.of("STORE_UNAVAILABLE", "STORE_OUTCOME_UNKNOWN");

  /** A request that was refused, and when it was under way, as System.nanoTime() counts. */
  record Failure(long from, long to, String what) {}

  private final Supplier<PackagedService> service;
  private final List<String> filters;
  private final List<List<List<String>>> acknowledged = new ArrayList<>();

  /** How many batches of each filter were asked for since they were added. */
  private final int[] asked;

  private final List<Failure> failures = new CopyOnWriteArrayList<>();
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final AtomicLong adds = new AtomicLong();
  private final AtomicLong latestAdd = new AtomicLong(System.nanoTime());
  private final List<CompletableFuture<Void>> clients = new ArrayList<>();
  private volatile boolean mayBeFull;
  private volatile boolean over;

  private SteadyLoad(Supplier<PackagedService> service, List<String> filters) {
    this.service = service;
    this.filters = filters;
    this.asked = new int[filters.size()];
    filters.forEach(filter -> acknowledged.add(Collections.synchronizedList(new ArrayList<>())));
  }

  /** Begins, with filters of its own. */
  static SteadyLoad on(Supplier<PackagedService> service, String prefix) {
    var filters = List.of(prefix + "-one", prefix + "-several", prefix + "-growing");
    service.get().done("PUT", "/v1/filters/" + filters.get(0), Shapes.ONE_LARGE);
    service.get().done("PUT", "/v1/filters/" + filters.get(1), Shapes.SEVERAL);
    service.get().done("PUT", "/v1/filters/" + filters.get(2), Shapes.GROWING);
    var load = new SteadyLoad(service, filters);
    for (var client = 0; client < CLIENTS; client++) {
      var own = client;
      load.clients.add(InParallel.run(() -> load.work(own)));
    }
    return load;
  }

  private void work(int client) {
    for (var round = 0; !over; round++) {
      LockSupport.parkNanos(PACE.toNanos());
      var which = round % filters.size();
      var prefix = client + "." + round + ".";
      var batch = IntStream.range(0, BATCH).mapToObj(i -> prefix + i).toList();
      var sentAt = System.nanoTime();
      if (request(which, "add", batch)) {
        acknowledged.get(which).add(batch);
        adds.addAndGet(BATCH);
        latestAdd.accumulateAndGet(sentAt, (a, b) -> a - b > 0 ? a : b);
      }
      var all = acknowledged.get(which);
      if (!all.isEmpty()) {
        request(which, "test", all.get(ThreadLocalRandom.current().nextInt(all.size())));
      }
    }
  }

  private boolean request(int which, String what, List<String> elements) {
    var from = System.nanoTime();
    try {
      var answer = post(which, what, elements);
      var outcome = Outcome.of(Operation.ADD, answer);
      if (!outcome.isSuccess()) {
        failures.add(new Failure(from, System.nanoTime(), what + ": " + outcome));
        if (!AWAY.contains(outcome.code()) && !(mayBeFull && outcome.is(507, "STORE_FULL"))) {
          wrong.add(what + ": " + outcome);
        }
        return false;
      }
      if (what.equals("test") && !allMaybe(outcome.body(), elements.size())) {
        wrong.add("denied an acknowledged element: " + outcome);
      }
      return true;
    } catch (IOException broken) {
      failures.add(new Failure(from, System.nanoTime(), what + ": " + broken));
      return false;
    }
  }

  private HttpResponse<byte[]> post(int which, String what, List<String> elements)
      throws IOException {
    return service
        .get()
        .send("POST", "/v1/filters/" + filters.get(which) + "/" + what, json(elements));
  }

  static String json(List<String> elements) {
    return elements.stream().collect(Collectors.joining("\",\"", "{\"elements\":[\"", "\"]}"));
  }

  static boolean allMaybe(String body, int count) {
    return body.replace(" ", "").contains("\"mightContainCount\":" + count + "}")
        || body.replace(" ", "").contains("\"mightContainCount\":" + count + ",");
  }

  /** Sets whether errors for lack of memory are allowed; initially not. */
  void mayBeFull(boolean may) {
    mayBeFull = may;
  }

  /** The requests that were refused or broke off so far. */
  List<Failure> failures() {
    return List.copyOf(failures);
  }

  /** How many elements were acknowledged so far. */
  long adds() {
    return adds.get();
  }

  /** When the latest add was sent that was acknowledged so far, as System.nanoTime() counts. */
  long latestAdd() {
    return latestAdd.get();
  }

  /** Waits until a number of further elements was acknowledged. */
  void awaitMore(int elements) {
    var enough = adds.get() + elements;
    Awaitility.await()
        .until(() -> adds.get() >= enough || clients.stream().anyMatch(CompletableFuture::isDone));
    assertEquals(List.of(), wrong());
  }

  /** Answers that were wrong since it was last asked; the first few. */
  List<String> wrong() {
    var some = wrong.stream().limit(5).toList();
    wrong.clear();
    return some;
  }

  /** Tests what was acknowledged since this was last called. */
  void assertNothingLost() {
    assertEquals(List.of(), wrong());
    for (var which = 0; which < filters.size(); which++) {
      List<List<String>> batches;
      synchronized (acknowledged.get(which)) {
        batches = List.copyOf(acknowledged.get(which));
      }
      assertAllMaybe(which, batches.subList(asked[which], batches.size()));
      asked[which] = batches.size();
    }
  }

  /** Tests all that was acknowledged, when the clients have ended. */
  void assertNothingOfAllLost() {
    Arrays.fill(asked, 0);
    assertNothingLost();
  }

  private void assertAllMaybe(int which, List<List<String>> batches) {
    var most = MOST_PER_TEST / BATCH;
    for (var from = 0; from < batches.size(); from += most) {
      var part =
          batches.subList(from, Math.min(batches.size(), from + most)).stream()
              .flatMap(List::stream)
              .toList();
      var answer = tested(which, part);
      if (!allMaybe(answer, part.size())) {
        throw new AssertionError("of " + part.size() + " some are lost: " + answer);
      }
    }
  }

  /** The final answer: a slow Redis on a busy machine never answers "no". */
  private String tested(int which, List<String> elements) {
    return Awaitility.await()
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              var answer = post(which, "test", elements);
              var outcome = Outcome.of(Operation.TEST, answer);
              assertTrue(outcome.isSuccess() || AWAY.contains(outcome.code()), outcome::toString);
              return outcome;
            },
            Outcome::isSuccess)
        .body();
  }

  /** Ends the clients and gives what they found out. */
  void end() {
    over = true;
    for (var client : clients) {
      try {
        client.get(FaultRun.MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    assertEquals(List.of(), wrong());
  }

  @Override
  public void close() {
    over = true;
  }
}
