package io.github.bloomgate.memory;

import io.github.bloomgate.memory.MemoryBudget.Use;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests waiting for memory, the oldest first. Thread-safe. */
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

  int size() {
    return size.get();
  }

  void enter(Waiting waiting) {
    boolean waits;
    synchronized (queue) {
      waits = places.take(waiting.client(), 1) == Shares.Result.TAKEN;
      if (waits) {
        queue.add(waiting);
        queue.sort(Comparator.comparingLong(Waiting::age));
        size.set(queue.size());
      }
    }
    if (!waits) {
      memory.refuse(waiting);
      return;
    }
    // The timer outlives the wait, and the waiting request may hold a whole body. While it waits,
    // the queue holds it.
    var inQueue = new WeakReference<>(waiting);
    // Bytes may have been given back since the caller tried.
    admit();
    refuseYoungestIfStuck(waiting.use());
    var unused =
        Infrastructure.getDefaultWorkerPool()
            .schedule(() -> expire(inQueue.get()), MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Refuses the youngest request that holds bytes if nothing else will give any back, because all
   * of a use are held by requests that wait for more.
   */
  private void refuseYoungestIfStuck(Use use) {
    Optional<Waiting> youngest;
    synchronized (queue) {
      var holders =
          queue.stream().filter(waiting -> waiting.use() == use && waiting.held() > 0).toList();
      var isStuck = holders.stream().mapToLong(Waiting::held).sum() == memory.taken(use);
      youngest = holders.stream().filter(ignored -> isStuck).reduce((older, younger) -> younger);
      youngest.ifPresent(this::leave);
    }
    youngest.ifPresent(memory::refuse);
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
      memory.refuse(waiting);
      // Smaller requests may be queued behind it.
      admit();
    }
  }
}
