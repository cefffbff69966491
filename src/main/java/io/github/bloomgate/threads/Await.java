package io.github.bloomgate.threads;

import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Waits for what Redis answers, on threads that may wait. An event loop may not: each method then
 * throws {@link IllegalStateException} and nothing is asked.
 *
 * <p>No wait is without end, since every call has a time limit, and who waits for memory or a turn
 * has one too. What a call fails with is thrown.
 */
public final class Await {

  private Await() {}

  /** Makes a call and waits for its result. */
  public static <T> T await(Uni<T> call) {
    return call.await().indefinitely();
  }

  /**
   * Makes a call for each item, so many at a time, and waits for all. The first failure ends it. A
   * call that is answered at once makes the next one within itself: hundreds of them fill the
   * stack.
   *
   * @return the results, in the order of the items
   */
  public static <I, T> List<T> awaitEach(
      Collection<I> items, int atOnce, Function<I, Uni<T>> call) {
    return items.isEmpty()
        ? List.of()
        : await(
            Uni.join()
                .all(
                    items.stream()
                        .map(item -> Uni.createFrom().deferred(() -> call.apply(item)))
                        .toList())
                .usingConcurrencyOf(atOnce)
                .andFailFast());
  }
}
