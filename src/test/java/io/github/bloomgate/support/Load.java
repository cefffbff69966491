package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.PlainHttp.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * Clients that add to filters and test acknowledged elements, one request after the other, and
 * record every failure. All times are from {@link System#nanoTime}.
 */
public final class Load implements AutoCloseable {

  /** Errors while Redis is unavailable. */
  public static final Set<String> AWAY =
      Set.of("STORE_UNAVAILABLE", "STORE_OUTCOME_UNKNOWN", "NOT_REPLICATED");

  private static final int BATCH = 5;
  private static final int MOST_PER_TEST = 10_000;

  /** The pause between rounds of a client, which would otherwise use all CPU time. */
  private static final Duration PACE = Duration.ofMillis(15);

  private static final Duration MAX_WAIT = Duration.ofMinutes(5);

  /** Sends elements to an operation on a filter. */
  public interface Sender {
    Reply send(String path, List<String> elements) throws IOException;
  }

  /**
   * A failed request.
   *
   * @param code empty if the connection broke
   * @param sentAt when the request was sent
   * @param at when it failed
   */
  public record Failure(String filter, String code, String what, long sentAt, long at) {}

  /**
   * An acknowledged element.
   *
   * @param sentAt when it was sent
   * @param at when the acknowledgement arrived
   */
  public record Acknowledged(String element, long sentAt, long at) {}

  private final Sender sender;
  private final String query;
  private final List<Client> clients = new CopyOnWriteArrayList<>();
  private final AtomicLong adds = new AtomicLong();
  private final AtomicLong latestAdd = new AtomicLong(System.nanoTime());
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final Queue<Acknowledged> denied = new ConcurrentLinkedQueue<>();

  /** Allowed errors while Redis may be unavailable. */
  private final Set<String> allowed = ConcurrentHashMap.newKeySet();

  private final Queue<String> mistakes = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  /**
   * Clients of a service.
   *
   * @param query the query of every add; may be empty
   */
  public Load(Sender sender, String query) {
    this.sender = sender;
    this.query = query;
    allowed.addAll(AWAY);
  }

  public void allow(String code, boolean isAllowed) {
    if (isAllowed) {
      allowed.add(code);
    } else {
      allowed.remove(code);
    }
  }

  /** Starts a client for another filter. */
  public void use(String filter) {
    var client = new Client(filter, clients.size());
    client.running = InParallel.run(client::work);
    clients.add(client);
  }

  /** Waits until every client has made a number of further rounds without a failure. */
  public void awaitRounds(int rounds) {
    clients.forEach(client -> client.awaitRounds(rounds));
  }

  /** Waits until a number of further elements was acknowledged. Fails if an answer was wrong. */
  public void awaitMore(int elements) {
    var enough = adds.get() + elements;
    Awaitility.await()
        .until(() -> adds.get() >= enough || clients.stream().anyMatch(Client::hasEnded));
    assertNothingWrong();
  }

  /** The number of acknowledged elements so far. */
  public long adds() {
    return adds.get();
  }

  /** When the latest acknowledged add was sent. */
  public long latestAdd() {
    return latestAdd.get();
  }

  public List<Failure> failures() {
    return List.copyOf(failures);
  }

  /** Acknowledged elements that a later test answered with "no" while the clients ran. */
  public List<Acknowledged> denied() {
    return List.copyOf(denied);
  }

  /** All acknowledged elements that are missing from their filters. */
  public List<Acknowledged> lost() {
    return clients.stream().flatMap(client -> client.missing(0).stream()).toList();
  }

  /** Fails if an element was denied, or on an error that is not allowed. */
  private void assertNothingWrong() {
    assertEquals(List.of(), denied());
    var some = mistakes.stream().limit(5).toList();
    mistakes.clear();
    assertEquals(List.of(), some);
  }

  /** Tests the elements acknowledged since the last call. */
  public void assertNothingLost() {
    assertNothingWrong();
    for (var client : clients) {
      var asked = client.asked;
      client.asked = client.snapshot().size();
      assertEquals(List.of(), client.missing(asked));
    }
  }

  /** Tests all acknowledged elements. */
  public void assertNothingOfAllLost() {
    clients.forEach(client -> client.asked = 0);
    assertNothingLost();
  }

  /**
   * Fails unless all missing elements were acknowledged before they reached the replica, or were
   * being added during the fault. An element answered with "no" must stay missing, because elements
   * in a filter are never denied, even briefly.
   *
   * @param replicated the replica had all elements from before this time
   * @param after the end of the fault
   */
  public void assertLostOnlyAround(long replicated, long after) {
    var lost = lost();
    assertEquals(List.of(), denied().stream().filter(one -> !lost.contains(one)).toList());
    assertEquals(
        List.of(),
        lost.stream()
            .filter(one -> one.sentAt() - after >= 0 || one.at() - replicated < 0)
            .toList(),
        () -> "of a fault after " + replicated + " that was done at " + after);
  }

  @Override
  public void close() {
    end();
  }

  /** Stops the clients. */
  public void end() {
    stopped = true;
    for (var client : clients) {
      client.running.orTimeout(MAX_WAIT.toMinutes(), TimeUnit.MINUTES).join();
    }
  }

  private final class Client {

    private final String filter;
    private final int number;
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile int roundsAtFailure;
    private volatile CompletableFuture<Void> running;
    private int next;

    /** The number of elements that were tested after they were added. */
    private int asked;

    private Client(String filter, int number) {
      this.filter = filter;
      this.number = number;
    }

    private boolean hasEnded() {
      return running.isDone();
    }

    void awaitRounds(int more) {
      var from = rounds.get();
      Awaitility.await()
          .until(() -> hasEnded() || rounds.get() - Math.max(from, roundsAtFailure) >= more);
      assertTrue(!running.isCompletedExceptionally(), () -> "a client failed: " + running);
    }

    private void work() {
      while (!stopped) {
        LockSupport.parkNanos(PACE.toNanos());
        var prefix = filter + " " + number + ".";
        var elements = IntStream.range(0, BATCH).mapToObj(i -> prefix + next++).toList();
        var sentAt = System.nanoTime();
        if (send("/add" + query, elements).isPresent()) {
          var at = System.nanoTime();
          synchronized (acknowledged) {
            elements.forEach(element -> acknowledged.add(new Acknowledged(element, sentAt, at)));
          }
          adds.addAndGet(BATCH);
          latestAdd.accumulateAndGet(sentAt, (a, b) -> a - b > 0 ? a : b);
        }
        testSome();
        rounds.incrementAndGet();
      }
    }

    private void testSome() {
      var some = new ArrayList<Acknowledged>();
      synchronized (acknowledged) {
        for (var i = 0; i < BATCH && !acknowledged.isEmpty(); i++) {
          // The latest elements are most at risk.
          var back = i < 3 ? i : ThreadLocalRandom.current().nextInt(acknowledged.size());
          some.add(acknowledged.get(Math.max(0, acknowledged.size() - 1 - back)));
        }
      }
      if (!some.isEmpty()) {
        send("/test", some.stream().map(Acknowledged::element).toList())
            .ifPresent(answer -> denied.addAll(missing(some, answer)));
      }
    }

    private Optional<Reply> send(String operation, List<String> elements) {
      var sentAt = System.nanoTime();
      try {
        var answer = sender.send(path(operation), elements);
        if (answer.status() == 200) {
          return Optional.of(answer);
        }
        var code = answer.json().path("code").asText("no code");
        note(code, operation + ": " + answer.status() + " " + answer.text(), sentAt);
        if (!allowed.contains(code)) {
          mistakes.add(operation + ": " + answer.status() + " " + answer.text());
        }
      } catch (IOException broken) {
        note("", operation + ": " + broken, sentAt);
      }
      return Optional.empty();
    }

    private void note(String code, String what, long sentAt) {
      failures.add(new Failure(filter, code, what, sentAt, System.nanoTime()));
      roundsAtFailure = rounds.get() + 1;
    }

    private String path(String operation) {
      return "/v1/filters/" + filter + operation;
    }

    private List<Acknowledged> snapshot() {
      synchronized (acknowledged) {
        return List.copyOf(acknowledged);
      }
    }

    /** Elements from an index on that the filter does not have. */
    private List<Acknowledged> missing(int from) {
      var all = snapshot();
      var missing = new ArrayList<Acknowledged>();
      for (var begin = from; begin < all.size(); begin += MOST_PER_TEST) {
        var some = all.subList(begin, Math.min(all.size(), begin + MOST_PER_TEST));
        missing.addAll(missing(some, tested(some.stream().map(Acknowledged::element).toList())));
      }
      return missing;
    }

    /** The final answer. A slow Redis on a busy machine may fail, but never answers "no". */
    private Reply tested(List<String> elements) {
      return Awaitility.await()
          .until(
              () -> {
                var answer = sender.send(path("/test"), elements);
                assertTrue(
                    answer.status() == 200 || allowed.contains(answer.json().path("code").asText()),
                    answer::text);
                return answer;
              },
              answer -> answer.status() == 200);
    }

    private static List<Acknowledged> missing(List<Acknowledged> some, Reply answer) {
      var flags = answer.json().get("mightContain");
      return IntStream.range(0, some.size())
          .filter(i -> !flags.get(i).asBoolean())
          .mapToObj(some::get)
          .toList();
    }
  }
}
