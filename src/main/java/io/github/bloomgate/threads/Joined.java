package io.github.bloomgate.threads;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** Calls that are made together and share a fate. */
public final class Joined {

  private Joined() {}

  /** Makes all calls; see {@link #all(List, int)}. */
  public static <T> Uni<List<T>> all(List<Uni<T>> calls) {
    return all(calls, calls.size());
  }

  /**
   * Makes calls, at least one, a few in parallel. Fails with the first failure, and makes no
   * further calls then. Failures of calls that are still in progress have the same reason, as a
   * rule, and are ignored.
   *
   * @return the results, in the order of the calls
   */
  public static <T> Uni<List<T>> all(List<Uni<T>> calls, int atOnce) {
    return Uni.join()
        .all(calls.stream().map(Joined::apart).toList())
        .usingConcurrencyOf(atOnce)
        .andFailFast();
  }

  /** A call that is not cancelled, because a failure after that is logged with its stack trace. */
  private static <T> Uni<T> apart(Uni<T> call) {
    return Uni.createFrom()
        .emitter(emitter -> call.subscribe().with(emitter::complete, emitter::fail));
  }
}
