package io.github.bloomgate.topology;

import io.github.bloomgate.support.PlainHttp;
import io.github.bloomgate.support.PlainHttp.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Adds an element every 50 ms, without waiting for the answers before. Prints how many were
 * acknowledged, and how many of these were lost.
 */
final class PacedAdds implements AutoCloseable {

  private static final Duration PACE = Duration.ofMillis(50);

  /** On a machine that is too busy to answer, more would make it worse. */
  private static final int MAX_PENDING = 100;

  private final String filter;
  private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

  private record Sent(String element, long at, CompletableFuture<Reply> answer) {

    boolean isAcknowledged() {
      return answer.isDone() && !answer.isCompletedExceptionally() && answer.join().status() == 200;
    }
  }

  PacedAdds(String filter) {
    this.filter = filter;
    var unused = clock.scheduleAtFixedRate(this::add, 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void add() {
    if (sent.stream().filter(one -> !one.answer.isDone()).count() > MAX_PENDING) {
      return;
    }
    var element = "element " + sent.size();
    var body = "{\"elements\": [\"%s\"]}".formatted(element).getBytes(StandardCharsets.UTF_8);
    sent.add(
        new Sent(
            element,
            System.nanoTime(),
            PlainHttp.sendAsync(
                "POST", "/v1/filters/" + filter + "/add", "application/json", body)));
  }

  /** Waits until a number of elements that are sent from now on is acknowledged. */
  void awaitAcknowledged(int count) {
    var from = System.nanoTime();
    Awaitility.await()
        .until(
            () ->
                sent.stream().filter(one -> one.at - from >= 0 && one.isAcknowledged()).count()
                    >= count);
  }

  @Override
  public void close() {
    clock.shutdown();
    sent.forEach(one -> one.answer.handle((answer, failure) -> true).join());
  }

  /**
   * After the last add, prints the counts.
   *
   * @return the acknowledged elements sent since a time that the filter does not have
   */
  List<String> lostSince(long time, String event) {
    var acknowledged = sent.stream().filter(Sent::isAcknowledged).toList();
    var lost = new ArrayList<Sent>();
    for (var one : acknowledged) {
      var answer =
          PlainHttp.call(
              200,
              "POST",
              "/v1/filters/" + filter + "/test",
              Map.of("elements", List.of(one.element)));
      if (!answer.json().get("mightContain").get(0).asBoolean()) {
        lost.add(one);
      }
    }
    System.out.printf(
        "%s: of %d adds, %d were acknowledged, and %d of these lost%n",
        event, sent.size(), acknowledged.size(), lost.size());
    return lost.stream().filter(one -> one.at - time >= 0).map(Sent::element).toList();
  }
}
