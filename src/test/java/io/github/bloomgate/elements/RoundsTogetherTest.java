package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.model.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two instances add, remove and test elements of one filter at once. */
class RoundsTogetherTest extends RoundsFixture {

  private static final int CALLERS = 6;

  /**
   * An add that begins while no rebuild is open is there until the next one is committed; one that
   * begins while a rebuild is open is there after its commit, too.
   */
  @Test
  void noAddIsLostWhileRebuildsOpenAndCommit() throws Exception {
    var filter = fixed(3, 16_384, 0, false);
    var isDone = new AtomicBoolean();
    // Odd while a rebuild is open.
    var phase = new AtomicInteger();
    var callers = new ArrayList<Callable<Void>>();
    for (var i = 0; i < CALLERS; i++) {
      var instance = i % 2 == 0 ? one : other;
      var caller = i;
      callers.add(
          () -> {
            for (var request = 0; !isDone.get(); request++) {
              var begun = phase.get();
              var element = "%d of %d".formatted(request, caller);
              instance.add(filter, element);
              var isThere = instance.contains(filter, element);
              assertTrue(isThere || phase.get() > begun + begun % 2, "seed " + seed);
            }
            return null;
          });
    }
    callers.add(
        () -> {
          try {
            rebuild(filter, phase);
          } finally {
            isDone.set(true);
          }
          return null;
        });
    atOnce(callers);
  }

  private void rebuild(TestFilter filter, AtomicInteger phase) {
    for (var rebuild = 0; rebuild < 6; rebuild++) {
      filter.open();
      phase.incrementAndGet();
      var loaded = "loaded " + rebuild;
      one.add(filter, loaded);
      filter.commit();
      phase.incrementAndGet();
      assertTrue(other.contains(filter, loaded), "seed " + seed);
    }
  }

  /** Both names have the same content, and the requests meet in one round. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFormerNameIsGoneAlsoWhereTheNewOneIsAskedFor(boolean isFormerFirst) throws Exception {
    for (var kind : List.of(Kind.ADD, Kind.TEST)) {
      var filter = fixed(1, 1 << 17, 0, false);
      one.add(filter, "first");
      var former = filter.view();
      var renamed = filter.rename();
      var byFormer = new ElementRequest(kind, bytes("element"), Durability.PRIMARY, former);
      var byNew = new ElementRequest(kind, bytes("element"), Durability.PRIMARY, renamed);
      var requests = isFormerFirst ? List.of(byFormer, byNew) : List.of(byNew, byFormer);
      // The next round begins when this task has ended.
      var outcomes =
          one.thread
              .submit(
                  () ->
                      requests.stream()
                          .map(request -> one.rounds.send(request).subscribeAsCompletionStage())
                          .toList())
              .get();
      for (var i = 0; i < requests.size(); i++) {
        var expected = requests.get(i) == byNew ? Outcome.DONE : Outcome.GONE;
        assertEquals(expected, outcomes.get(i).get(), kind + " " + i);
      }
    }
  }

  /** Runs tasks in parallel and rethrows failures. */
  private static void atOnce(List<Callable<Void>> tasks) throws Exception {
    var threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (var task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
