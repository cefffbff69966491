package io.github.bloomgate.threads;

import io.smallrye.mutiny.Uni;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tasks that are done once for all callers that want the same at the same time. Thread-safe.
 *
 * @param <K> what a caller wants
 */
public final class SharedTasks<K> {

  private final Map<K, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

  /**
   * Begins a task, or waits for the one that another caller began. It goes on if callers cancel.
   *
   * @param task does not block the thread that begins it
   * @return completes or fails as the task does, on the caller's context if it has one
   */
  public Uni<Void> join(K key, Uni<Void> task) {
    return Uni.createFrom().completionStage(() -> shared(key, task)).emitOn(OwnContext.here());
  }

  /** Each caller gets a copy, so that it can be cancelled alone. */
  private CompletableFuture<Void> shared(K key, Uni<Void> task) {
    var mine = new CompletableFuture<Void>();
    var others = underWay.putIfAbsent(key, mine);
    if (others != null) {
      return others.copy();
    }
    task.onTermination()
        .invoke(() -> underWay.remove(key))
        .subscribe()
        .with(mine::complete, mine::completeExceptionally);
    return mine.copy();
  }
}
