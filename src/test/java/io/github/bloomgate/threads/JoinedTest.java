package io.github.bloomgate.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.operators.AbstractUni;
import io.smallrye.mutiny.subscription.UniSubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JoinedTest {

  private final List<Throwable> dropped = new ArrayList<>();
  private final List<CompletableFuture<String>> calls =
      Stream.generate(CompletableFuture<String>::new).limit(5).toList();

  @BeforeEach
  void noteDroppedFailures() {
    Infrastructure.setDroppedExceptionHandler(dropped::add);
  }

  @AfterEach
  void reset() {
    Infrastructure.resetDroppedExceptionHandler();
  }

  private List<Uni<String>> unis() {
    return calls.stream().map(call -> new Sent(call).map(text -> text + "!")).toList();
  }

  /** A call that has been sent, so it continues when it is cancelled. */
  private static final class Sent extends AbstractUni<String> {
    private final CompletableFuture<String> call;

    private Sent(CompletableFuture<String> call) {
      this.call = call;
    }

    @Override
    public void subscribe(UniSubscriber<? super String> subscriber) {
      subscriber.onSubscribe(() -> {});
      var unused =
          call.whenComplete(
              (value, failure) -> {
                if (failure == null) {
                  subscriber.onItem(value);
                } else {
                  subscriber.onFailure(failure);
                }
              });
    }
  }

  @Test
  void resultsAreInTheOrderOfTheCalls() {
    var joined = Joined.all(unis()).subscribeAsCompletionStage();
    for (var i = 4; i >= 0; i--) {
      calls.get(i).complete("c" + i);
    }
    assertEquals(List.of("c0!", "c1!", "c2!", "c3!", "c4!"), joined.join());
  }

  /** If Redis is away, the calls for all filters of a request fail. */
  @Test
  void onlyTheFirstFailureIsReported() {
    var first = new IllegalStateException("first");
    var joined = Joined.all(unis()).subscribeAsCompletionStage();
    calls.get(3).completeExceptionally(first);
    for (var call : calls) {
      call.completeExceptionally(new IllegalStateException("later"));
    }
    assertSame(first, assertThrows(Exception.class, joined::join).getCause());
    assertEquals(List.of(), dropped);
  }

  @Test
  void noCallIsMadeAfterAFailure() {
    var made = new ArrayList<Integer>();
    var some =
        Stream.iterate(0, i -> i + 1)
            .limit(5)
            .map(
                i ->
                    Uni.createFrom()
                        .<String>deferred(
                            () -> {
                              made.add(i);
                              return Uni.createFrom().completionStage(calls.get(i));
                            }))
            .toList();
    var joined = Joined.all(some, 2).subscribeAsCompletionStage();
    calls.get(0).completeExceptionally(new IllegalStateException("away"));
    calls.get(1).complete("late");
    assertThrows(Exception.class, joined::join);
    assertEquals(List.of(0, 1), made);
  }
}
