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
 * Results that those share who ask the same question within a moment. A result is as old as the
 * beginning of its work. For threads that may wait. Thread-safe.
 *
 * @param <Q> questions; all that a result depends on is part of them
 * @param <T> results
 */
public final class Recent<Q, T> {

  /** Longer than any age that is allowed, and than work usually takes. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  private final Cache<Q, Run<T>> runs;
  private final LongSupplier nanoTime;

  /** Remembers the results of so many questions at most. */
  public Recent(int most) {
    this(most, System::nanoTime);
  }

  Recent(int most, LongSupplier nanoTime) {
    this.runs = Caffeine.newBuilder().maximumSize(most).expireAfterWrite(KEPT).build();
    this.nanoTime = nanoTime;
  }

  /**
   * The result of some work, or of work that was done for another who asked the same.
   *
   * <p>Those who allow some age wait for the work that is under way for their question, so that it
   * is done once at a time. For those who allow none it is begun at once, and from then on nobody
   * is given an older result. A failure is for those who waited for it, and is not remembered.
   *
   * @param age how old the result may be when it is asked for
   */
  public T get(Q question, Duration age, Supplier<T> work) {
    return age.isZero() ? fresh(question, work) : shared(question, age.toNanos(), work);
  }

  private T fresh(Q question, Supplier<T> work) {
    var mine = new Run<>(nanoTime.getAsLong(), work);
    // Only in the place of another: what is asked once is not worth remembering.
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

  /** Work that was begun, and its result once it has ended. */
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
