package io.github.bloomgate.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What is on its way to one destination, and what waits. Not thread-safe.
 *
 * @param <W> one batch with its caller
 */
final class Lane<W> {
  /** The part of the room from which on a batch need not wait for company: a quarter. */
  private static final int LARGE = 4;

  private final int room;

  /** Parts that need not wait, in order: each is full, or was sent before. */
  private final Deque<List<W>> ready = new ArrayDeque<>();

  /** Those that gather, and how much of the room of one call they take. */
  private List<W> gathering = new ArrayList<>();

  private int gathered;
  private int inFlight;
  private boolean sending;

  /** A lane whose calls have so much room. */
  Lane(int room) {
    this.room = room;
  }

  /** Puts a batch behind those that wait. */
  void add(W batch, int size) {
    if (gathered + size > room) {
      close();
    }
    gathering.add(batch);
    gathered += size;
    if (gathered >= room || size >= Math.max(1, room / LARGE)) {
      close();
    }
  }

  private void close() {
    if (!gathering.isEmpty()) {
      ready.addLast(gathering);
      gathering = new ArrayList<>();
      gathered = 0;
    }
  }

  /**
   * Takes what may be sent now, in one call, or nothing. Who gets something must send it and then
   * tell that it is {@link #sent}; until then nobody else gets any, which keeps the order.
   */
  List<W> take() {
    if (sending) {
      return List.of();
    }
    if (ready.isEmpty() && inFlight < Coalescer.CALLS_IN_FLIGHT) {
      close();
    }
    if (ready.isEmpty()) {
      return List.of();
    }
    sending = true;
    inFlight++;
    return ready.removeFirst();
  }

  /** What was taken is on its way. */
  void sent() {
    sending = false;
  }

  /**
   * A call has ended.
   *
   * @param undone those it left undone. They go again in two calls, not in one: where each call
   *     does its first batch only, the work for n of them is in n log n, not in n squared
   */
  void finished(List<W> undone) {
    inFlight--;
    var half = (undone.size() + 1) / 2;
    addFirst(undone.subList(half, undone.size()));
    addFirst(undone.subList(0, half));
  }

  private void addFirst(List<W> part) {
    if (!part.isEmpty()) {
      ready.addFirst(List.copyOf(part));
    }
  }

  /** Whether nothing is left to be kept. */
  boolean isIdle() {
    return inFlight == 0 && !sending && ready.isEmpty() && gathering.isEmpty();
  }
}
