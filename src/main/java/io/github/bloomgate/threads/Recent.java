package io.github.bloomgate.threads;

import static io.github.bloomgate.threads.Await.await;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shares results between callers with the same question within a moment. The age of a result counts
 * from the start of its work. Blocks. Thread-safe.
 *
 * @param <Q> questions, which include everything a result depends on
 * @param <T> results
 */
public final class Recent<Q, T> {

  /** Longer than any allowed age and than work usually takes. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  private final Cache<Q, Run<T>> runs;
  private final LongSupplier nanoTime;

  /** Keeps the results of at most {@code most} questions. */
  public Recent(int most) {
    this(most, System::nanoTime);
  }

  Recent(int most, LongSupplier nanoTime) {
    this.runs = Caffeine.newBuilder().maximumSize(most).expireAfterWrite(KEPT).build();
    this.nanoTime = nanoTime;
  }

  /**
   * Does the work, or waits for another caller's work for the same question. A failure goes to the
   * callers that waited for it and is not kept. With age zero, no other caller waits for this work,
   * which may therefore end early.
   *
   * @param age the greatest allowed age of the result at the time of the call
   */
  public T get(Q question, Duration age, Supplier<T> work) {
    var now = nanoTime.getAsLong();
    if (age.isZero()) {
      var result = work.get();
      // Only questions that others share are worth keeping, and their results never become older.
      runs.asMap()
          .computeIfPresent(
              question, (same, other) -> other.begun - now < 0 ? Run.done(now, result) : other);
      return result;
    }
    var mine = new Run<>(now, new FutureTask<>(work::get));
    var run =
        runs.asMap()
            .compute(
                question,
                (same, other) -> other == null || now - other.begun > age.toNanos() ? mine : other);
    // Does nothing if another caller has begun it.
    run.task.run();
    try {
      return await(Uni.createFrom().future(run.task));
    } catch (RuntimeException failure) {
      runs.asMap().remove(question, run);
      throw failure;
    }
  }

  /** Work in progress, then its result. */
  private record Run<T>(long begun, FutureTask<T> task) {

    private static <T> Run<T> done(long begun, T result) {
      var task = new FutureTask<>(() -> result);
      task.run();
      return new Run<>(begun, task);
    }
  }
}
