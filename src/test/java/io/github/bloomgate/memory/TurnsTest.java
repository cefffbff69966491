package io.github.bloomgate.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.InParallel;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored")
class TurnsTest {

  private static final Client MANY = client("many");
  private static final Client FEW = client("few");

  private final Turns turns = new Turns(2);
  private final List<String> begun = new ArrayList<>();
  private final List<CompletableFuture<String>> pieces = new ArrayList<>();

  private static Client client(String id) {
    return new Client(id, () -> false);
  }

  private CompletableFuture<String> take(Client client, String piece) {
    var end = new CompletableFuture<String>();
    pieces.add(end);
    return turns
        .take(
            client,
            () -> {
              begun.add(piece);
              return Uni.createFrom().completionStage(end);
            })
        .subscribeAsCompletionStage();
  }

  @Test
  void aFewPiecesRunAtOnceAndClientsTakeTurns() {
    for (var i = 0; i < 5; i++) {
      take(MANY, "many " + i);
    }
    var few = take(FEW, "few");
    assertEquals(List.of("many 0", "many 1"), begun);
    pieces.get(0).complete("done");
    assertEquals(List.of("many 0", "many 1", "many 2"), begun);
    pieces.get(1).complete("done");
    assertEquals("few", begun.get(3));
    pieces.get(5).complete("of few");
    assertEquals("of few", few.join());
    assertEquals("many 3", begun.get(4));
  }

  @Test
  void aFailedPieceEndsItsTurn() {
    for (var i = 0; i < 3; i++) {
      take(MANY, "piece " + i);
    }
    pieces.get(0).completeExceptionally(new IllegalStateException());
    assertEquals(3, begun.size());
  }

  @Test
  void aPieceWhoseEventLoopHasStoppedEndsItsTurn() {
    take(MANY, "first");
    take(MANY, "second");
    var vertx = Vertx.vertx();
    var taken = new CompletableFuture<CompletableFuture<String>>();
    vertx
        .getOrCreateContext()
        .runOnContext(ignored -> taken.complete(take(FEW, "on a stopped loop")));
    var lost = InParallel.resultOf(taken);
    InParallel.resultOf(vertx.close().toCompletionStage());
    take(MANY, "third");
    pieces.get(0).complete("done");
    assertThrows(CompletionException.class, () -> InParallel.resultOf(lost));
    pieces.get(1).complete("done");
    take(MANY, "fourth");
    take(MANY, "fifth");
    assertEquals(List.of("first", "second", "third", "fourth"), begun);
  }

  @Test
  void thePiecesOfAClientThatLeftAreSkipped() {
    var first = take(MANY, "first");
    take(MANY, "second");
    var left = take(new Client("left", () -> true), "third");
    pieces.get(0).complete("done");
    assertEquals("done", first.join());
    Failures.assertFails(ErrorCode.INVALID_REQUEST, Uni.createFrom().completionStage(left));
    assertEquals(List.of("first", "second"), begun);
    take(FEW, "fourth");
    assertEquals("fourth", begun.get(2));
  }

  /** The stack does not grow with them. */
  @Test
  void piecesThatEndAtOnceDoNotNest() {
    var last = take(MANY, "first");
    take(MANY, "second");
    var count = new AtomicInteger();
    var all =
        IntStream.range(0, 20_000)
            .mapToObj(
                i ->
                    turns
                        .take(MANY, () -> Uni.createFrom().item(count::incrementAndGet))
                        .subscribeAsCompletionStage())
            .toList();
    pieces.get(0).complete("done");
    assertEquals("done", last.join());
    all.forEach(CompletableFuture::join);
    assertEquals(20_000, count.get());
  }

  @Test
  void manyThreadsNeverExceedTheLimit() {
    var running = new AtomicInteger();
    var done = new AtomicInteger();
    InParallel.atOnce(
        8,
        thread -> {
          var client = client("client " + thread);
          for (var i = 0; i < 500; i++) {
            var piece =
                turns.take(
                    client,
                    () -> {
                      assertTrue(running.incrementAndGet() <= 2);
                      Thread.onSpinWait();
                      running.decrementAndGet();
                      return Uni.createFrom().item(done.incrementAndGet());
                    });
            piece.await().indefinitely();
          }
        });
    assertEquals(4_000, done.get());
  }
}
