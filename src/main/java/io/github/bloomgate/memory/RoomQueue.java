package io.github.bloomgate.memory;

import io.github.bloomgate.memory.MemoryBudget.Use;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Requests waiting for memory, in order of arrival. Thread-safe. */
final class RoomQueue {

  static final Duration MAX_WAIT = Duration.ofSeconds(5);

  static final int MAX_WAITING = 256;

  private final MemoryBudget memory;
  private final Shares places = new Shares(MAX_WAITING);

  /** Also the lock that guards it. */
  private final List<Waiting> queue = new ArrayList<>();

  private final AtomicInteger size = new AtomicInteger();

  RoomQueue(MemoryBudget memory) {
    this.memory = memory;
  }

  private record Waiting(Use use, String client, long bytes, Consumer<Boolean> result) {}

  int size() {
    return size.get();
  }

  /** Waits for bytes. Calls {@code result} once, on any thread, with whether they were taken. */
  void enter(Use use, String client, long bytes, Consumer<Boolean> result) {
    var waiting = new Waiting(use, client, bytes, result);
    synchronized (queue) {
      if (places.take(client, 1) == Shares.Result.TAKEN) {
        queue.add(waiting);
        size.set(queue.size());
      } else {
        waiting = null;
      }
    }
    if (waiting == null) {
      refuse(use, result);
      return;
    }
    // The timer outlives the wait, and the waiting request may hold a whole body. While it waits,
    // the queue holds it.
    var waits = new WeakReference<>(waiting);
    // Bytes may have been given back since the caller tried.
    admit();
    var unused =
        Infrastructure.getDefaultWorkerPool()
            .schedule(() -> expire(waits.get()), MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Admits the requests for which there is room. A request overtakes another of the same use only
   * if the other's client has used up its share.
   */
  void admit() {
    if (size() == 0) {
      return;
    }
    var admitted = new ArrayList<Waiting>();
    synchronized (queue) {
      var full = EnumSet.noneOf(Use.class);
      var fullShares = new HashSet<String>();
      for (var waiting : List.copyOf(queue)) {
        var share = waiting.use() + waiting.client();
        if (full.contains(waiting.use()) || fullShares.contains(share)) {
          continue;
        }
        switch (memory.tryTake(waiting.use(), waiting.client(), waiting.bytes())) {
          case TAKEN -> {
            leave(waiting);
            admitted.add(waiting);
          }
          case SHARE_USED -> fullShares.add(share);
          case ALL_USED -> full.add(waiting.use());
        }
      }
    }
    admitted.forEach(waiting -> waiting.result().accept(true));
  }

  private boolean leave(Waiting waiting) {
    if (!queue.remove(waiting)) {
      return false;
    }
    size.set(queue.size());
    places.giveBack(waiting.client(), 1);
    return true;
  }

  /** Refuses a request that is still queued; null or an admitted one is ignored. */
  private void expire(Waiting waiting) {
    boolean waited;
    synchronized (queue) {
      waited = waiting != null && leave(waiting);
    }
    if (waited) {
      refuse(waiting.use(), waiting.result());
      // Smaller requests may be queued behind it.
      admit();
    }
  }

  private void refuse(Use use, Consumer<Boolean> result) {
    memory.countRefusal(use);
    result.accept(false);
  }
}
