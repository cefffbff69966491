package io.github.bloomgate.memory;

import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.threads.Pause;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Requests waiting for memory, the oldest first. Thread-safe. */
final class RoomQueue {

  static final Duration MAX_WAIT = Duration.ofSeconds(5);

  static final int MAX_WAITING = 256;

  private final MemoryBudget memory;
  private final Shares places = new Shares(MAX_WAITING);

  /** Also the lock that guards it. */
  private final List<Waiting> queue = new ArrayList<>();

  RoomQueue(MemoryBudget memory) {
    this.memory = memory;
  }

  private record Waiting(Holding holding, long bytes, Consumer<Boolean> result) {

    /** If this request cannot go on, others that are reported with it still can. */
    private void report(boolean taken) {
      try {
        result.accept(taken);
      } catch (RuntimeException | Error failure) {
        Infrastructure.handleDroppedException(failure);
      }
    }
  }

  long size() {
    return places.taken();
  }

  /** Waits for bytes. Calls {@code result} once, on any thread, with whether they were taken. */
  void enter(Holding holding, long bytes, Consumer<Boolean> result) {
    var waiting = new Waiting(holding, bytes, result);
    boolean waits;
    synchronized (queue) {
      waits = places.take(holding.client(), 1) == Shares.Result.TAKEN;
      if (waits) {
        queue.add(waiting);
        queue.sort(Comparator.comparingLong(each -> each.holding().age()));
      }
    }
    if (!waits) {
      memory.countRefusal(holding.use());
      result.accept(false);
      return;
    }
    // The timer outlives the wait, and the waiting request may hold a whole body. While it waits,
    // the queue holds it.
    var inQueue = new WeakReference<>(waiting);
    var unused = Pause.of(MAX_WAIT).thenRun(() -> expire(inQueue.get()));
    // Bytes may have been given back since the caller tried.
    admit();
  }

  /**
   * Admits the requests for which there is room. A request overtakes another of the same use only
   * if the other's client has used up its share. Refuses one if all wait for one another.
   */
  void admit() {
    if (size() == 0) {
      return;
    }
    var admitted = new ArrayList<Waiting>();
    List<Waiting> stuck;
    synchronized (queue) {
      var full = EnumSet.noneOf(Use.class);
      var fullShares = new HashSet<String>();
      for (var waiting : List.copyOf(queue)) {
        var holding = waiting.holding();
        var share = holding.use() + holding.client();
        if (full.contains(holding.use()) || fullShares.contains(share)) {
          continue;
        }
        switch (memory.take(holding.use(), holding.client(), waiting.bytes())) {
          case TAKEN -> {
            leave(waiting);
            admitted.add(waiting);
          }
          case SHARE_USED -> fullShares.add(share);
          case ALL_USED -> full.add(holding.use());
        }
      }
      stuck = EnumSet.allOf(Use.class).stream().flatMap(use -> stuck(use).stream()).toList();
      stuck.forEach(this::leave);
    }
    admitted.forEach(waiting -> waiting.report(true));
    stuck.forEach(this::refuse);
  }

  /**
   * The youngest request that holds bytes of a use, if all of them are held by requests that wait
   * for more. Then nothing else would give any back.
   */
  private Optional<Waiting> stuck(Use use) {
    var holders =
        queue.stream()
            .filter(each -> each.holding().use() == use && each.holding().bytesOfRequest() > 0)
            .toList();
    var held = holders.stream().mapToLong(each -> each.holding().bytesOfRequest()).sum();
    return held == memory.taken(use)
        ? holders.stream().reduce((older, younger) -> younger)
        : Optional.empty();
  }

  private boolean leave(Waiting waiting) {
    if (!queue.remove(waiting)) {
      return false;
    }
    places.giveBack(waiting.holding().client(), 1);
    return true;
  }

  /** Refuses a request that is still queued; null or an admitted one is ignored. */
  private void expire(Waiting waiting) {
    boolean waited;
    synchronized (queue) {
      waited = waiting != null && leave(waiting);
    }
    if (waited) {
      refuse(waiting);
      // Smaller requests may be queued behind it.
      admit();
    }
  }

  private void refuse(Waiting waiting) {
    memory.countRefusal(waiting.holding().use());
    waiting.report(false);
  }
}
