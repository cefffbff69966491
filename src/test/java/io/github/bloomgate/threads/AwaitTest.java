package io.github.bloomgate.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.model.error.StoreErrors;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AwaitTest {

  private static final long MAX_WAIT = 60;

  @Inject Vertx vertx;

  @Test
  void anEventLoopIsRefusedBeforeTheCall() throws Exception {
    var asked = new AtomicInteger();
    var call = Uni.createFrom().item(asked::incrementAndGet);
    assertInstanceOf(IllegalStateException.class, onEventLoop(() -> Await.await(call)));
    assertInstanceOf(
        IllegalStateException.class,
        onEventLoop(() -> Await.awaitEach(List.of(1), 1, one -> call)));
    assertEquals(0, asked.get());
    assertEquals(1, Await.await(call));
  }

  private Throwable onEventLoop(Runnable work) throws Exception {
    var thrown = new CompletableFuture<Throwable>();
    vertx
        .getOrCreateContext()
        .runOnContext(
            ignored -> {
              try {
                work.run();
                thrown.complete(null);
              } catch (RuntimeException e) {
                thrown.complete(e);
              }
            });
    return thrown.get(MAX_WAIT, TimeUnit.SECONDS);
  }

  @Test
  void theFailureOfACallIsThrown() {
    var failure = StoreErrors.unavailable("Redis is away", null);
    var call = Uni.createFrom().<String>failure(failure);
    assertSame(failure, assertThrows(RuntimeException.class, () -> Await.await(call)));
    assertSame(
        failure,
        assertThrows(RuntimeException.class, () -> Await.awaitEach(List.of(1, 2), 1, one -> call)));
  }

  @Test
  void parallelCallsAreLimitedAndResultsAreInOrder() {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var items = IntStream.range(0, 20).boxed().toList();
    Function<Integer, Uni<Integer>> call =
        item -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          return Uni.createFrom()
              .item(item)
              .onItem()
              .delayIt()
              .by(Duration.ofMillis(1 + item % 3))
              .invoke(running::decrementAndGet);
        };
    assertEquals(items, Await.awaitEach(items, 4, call));
    assertEquals(4, most.get());
    assertEquals(List.of(), Await.awaitEach(new ArrayList<Integer>(), 4, call));
  }
}
