package io.github.bloomgate.threads;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Waits for Redis on threads that may block. On an event loop each method throws {@link
 * IllegalStateException} before making a call.
 *
 * <p>Every wait ends, because every call and every queue has a timeout. Throws the failure of the
 * call.
 */
public final class Await {

  private Await() {}

  public static <T> T await(Uni<T> call) {
    return call.await().indefinitely();
  }

  /** Waits for a result that another thread will have. */
  public static <T> T await(CompletionStage<T> result) {
    if (!Infrastructure.canCallerThreadBeBlocked()) {
      throw new IllegalStateException("an event loop must not wait");
    }
    try {
      return result.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  /**
   * Waits for a result for some time.
   *
   * @throws TimeoutException of Mutiny, if there is none by then
   */
  public static <T> T await(CompletionStage<T> result, Duration limit) {
    return Uni.createFrom().completionStage(result).await().atMost(limit);
  }

  /**
   * Makes a call for each item, a few in parallel, and waits for all. Stops at the first failure.
   * Calls that complete synchronously nest, so hundreds of them overflow the stack.
   *
   * @return the results, in the order of the items
   */
  public static <I, T> List<T> awaitEach(
      Collection<I> items, int atOnce, Function<I, Uni<T>> call) {
    return items.isEmpty()
        ? List.of()
        : await(
            Joined.all(
                items.stream()
                    .map(item -> Uni.createFrom().deferred(() -> call.apply(item)))
                    .toList(),
                atOnce));
  }
}
