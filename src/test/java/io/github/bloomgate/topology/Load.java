package io.github.bloomgate.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.PlainHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Clients that add to filters and test what was acknowledged, one after the other for each filter,
 * and note every answer that is none.
 */
final class Load implements AutoCloseable {

  private static final int BATCH = 5;
  private static final int MOST_PER_TEST = 10_000;

  /** Between the rounds of a client, which would otherwise take all processors while it waits. */
  private static final Duration PACE = Duration.ofMillis(10);

  private final String query;
  private final Map<String, Client> clients = new ConcurrentHashMap<>();
  private volatile boolean stopped;

  /**
   * Clients of the service.
   *
   * @param query of every add, may be empty
   */
  Load(String query) {
    this.query = query;
  }

  /**
   * An answer that was none.
   *
   * @param at when the request was sent and when it was answered, as {@link System#nanoTime} counts
   */
  record Failure(String filter, int status, String code, long sentAt, long at) {}

  /**
   * An acknowledged element.
   *
   * @param sentAt when it was sent and when the acknowledgement came, as {@link System#nanoTime}
   *     counts
   */
  record Acknowledged(String element, long sentAt, long at) {}

  /** Begins to use a filter. */
  void use(String filter) {
    var client = new Client(filter);
    clients.put(filter, client);
    client.thread.start();
  }

  /** Waits until every client has made a number of further rounds without a failure. */
  void awaitRounds(int rounds) {
    clients.values().forEach(client -> client.awaitRounds(rounds));
  }

  /** Every acknowledged element that a later test answered with no, while the clients ran. */
  List<Acknowledged> wrong() {
    return clients.values().stream().flatMap(client -> client.wrong.stream()).toList();
  }

  List<Failure> failures() {
    return clients.values().stream().flatMap(client -> client.failures.stream()).toList();
  }

  /** Ends the clients. */
  @Override
  public void close() {
    stopped = true;
    for (var client : clients.values()) {
      try {
        client.thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** After the end: all that was acknowledged and that its filter has not. */
  List<Acknowledged> lost() {
    return clients.values().stream().flatMap(client -> client.lost().stream()).toList();
  }

  /**
   * Fails unless all missing elements were acknowledged before they reached the replica, or were
   * being added during the fault. An element answered with "no" must stay missing: elements in a
   * filter are never denied, even briefly.
   *
   * @param replicated the replica had all elements from before this time
   * @param after the end of the fault, in terms of {@link System#nanoTime}
   */
  void assertLostOnlyAround(long replicated, long after) {
    var lost = lost();
    assertEquals(List.of(), wrong().stream().filter(denied -> !lost.contains(denied)).toList());
    assertEquals(
        List.of(),
        lost.stream()
            .filter(one -> one.sentAt() - after >= 0 || one.at() - replicated < 0)
            .toList(),
        () -> "of a fault after " + replicated + " that was done at " + after);
  }

  /** One client of one filter. */
  private final class Client {
    private final String filter;
    private final Thread thread;
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Acknowledged> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile int roundsAtFailure;
    private int next;

    /** Asked for once, after the end; null before. */
    private List<Acknowledged> lost;

    private Client(String filter) {
      this.filter = filter;
      this.thread = new Thread(this::run, "load-" + filter);
    }

    void awaitRounds(int more) {
      var from = rounds.get();
      Awaitility.await().until(() -> rounds.get() - Math.max(from, roundsAtFailure) >= more);
    }

    private void run() {
      while (!stopped) {
        var elements = IntStream.range(0, BATCH).mapToObj(i -> filter + " " + next++).toList();
        var sentAt = System.nanoTime();
        var added = post("/add" + query, elements);
        if (note(added, sentAt)) {
          var at = System.nanoTime();
          synchronized (acknowledged) {
            elements.forEach(element -> acknowledged.add(new Acknowledged(element, sentAt, at)));
          }
        }
        testSome();
        rounds.incrementAndGet();
        LockSupport.parkNanos(PACE.toNanos());
      }
    }

    private void testSome() {
      List<Acknowledged> some = new ArrayList<>();
      synchronized (acknowledged) {
        for (var i = 0; i < BATCH && !acknowledged.isEmpty(); i++) {
          // The latest ones are those most at risk.
          var back = i < 3 ? i : ThreadLocalRandom.current().nextInt(acknowledged.size());
          some.add(acknowledged.get(Math.max(0, acknowledged.size() - 1 - back)));
        }
      }
      if (some.isEmpty()) {
        return;
      }
      var sentAt = System.nanoTime();
      var tested = post("/test", some.stream().map(Acknowledged::element).toList());
      if (note(tested, sentAt)) {
        var flags = tested.json().get("mightContain");
        for (var i = 0; i < some.size(); i++) {
          if (!flags.get(i).asBoolean()) {
            wrong.add(some.get(i));
          }
        }
      }
    }

    private boolean note(PlainHttp.Answer answer, long sentAt) {
      if (answer.status() == 200) {
        return true;
      }
      failures.add(
          new Failure(
              filter,
              answer.status(),
              answer.body().length == 0 ? "" : answer.json().path("code").asText(),
              sentAt,
              System.nanoTime()));
      roundsAtFailure = rounds.get() + 1;
      return false;
    }

    private List<Acknowledged> lost() {
      if (lost == null) {
        lost = missing(acknowledged);
      }
      return lost;
    }

    private List<Acknowledged> missing(List<Acknowledged> all) {
      var missing = new ArrayList<Acknowledged>();
      for (var from = 0; from < all.size(); from += MOST_PER_TEST) {
        var some = all.subList(from, Math.min(all.size(), from + MOST_PER_TEST));
        var answer = post("/test", some.stream().map(Acknowledged::element).toList());
        assertEquals(200, answer.status(), answer::text);
        var flags = answer.json().get("mightContain");
        for (var i = 0; i < some.size(); i++) {
          if (!flags.get(i).asBoolean()) {
            missing.add(some.get(i));
          }
        }
      }
      return missing;
    }

    private PlainHttp.Answer post(String operation, List<String> elements) {
      return PlainHttp.send(
          "POST", "/v1/filters/" + filter + operation, Map.of("elements", elements));
    }
  }
}
