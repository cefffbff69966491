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
   * Does the work, or returns the result of another caller's work for the same question.
   *
   * <p>A caller that allows some age waits for work already running for its question. With age
   * zero, new work starts immediately, and later callers get no older result. A failure goes to the
   * callers that waited for it and is not kept.
   *
   * @param age the greatest allowed age of the result at the time of the call
   */
  public T get(Q question, Duration age, Supplier<T> work) {
    return age.isZero() ? fresh(question, work) : shared(question, age.toNanos(), work);
  }

  private T fresh(Q question, Supplier<T> work) {
    var mine = new Run<>(nanoTime.getAsLong(), work);
    // Only replaces another entry: a question asked once is not worth keeping.
    runs.asMap().computeIfPresent(question, (same, other) -> mine);
    return finish(question, mine);
  }

  private T shared(Q question, long age, Supplier<T> work) {
    var oldest = nanoTime.getAsLong() - age;
    while (true) {
      var mine = new Run<>(nanoTime.getAsLong(), work);
      var found =
          runs.asMap()
              .compute(
                  question,
                  (same, other) ->
                      other == null || (other.isDone() && other.isBefore(oldest)) ? mine : other);
      if (found == mine) {
        return finish(question, mine);
      }
      try {
        var result = found.result();
        if (!found.isBefore(oldest)) {
          return result;
        }
      } catch (RuntimeException failure) {
        if (!found.isBefore(oldest)) {
          throw failure;
        }
      }
    }
  }

  private T finish(Q question, Run<T> mine) {
    mine.task.run();
    try {
      return mine.result();
    } catch (RuntimeException failure) {
      runs.asMap().remove(question, mine);
      throw failure;
    }
  }

  /** Work in progress, then its result. */
  private static final class Run<T> {
    private final long begun;
    private final FutureTask<T> task;

    Run(long begun, Supplier<T> work) {
      this.begun = begun;
      this.task = new FutureTask<>(work::get);
    }

    boolean isBefore(long time) {
      return begun - time < 0;
    }

    boolean isDone() {
      return task.isDone();
    }

    T result() {
      return await(Uni.createFrom().future(task));
    }
  }
}
