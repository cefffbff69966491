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
final class CallQueue<W> {
  /** The part of the room from which on a batch need not wait for company: a quarter. */
  private static final int LARGE = 4;

  private final int callsInFlight;
  private final int room;

  /** Parts that need not wait, in order: each is full, or was sent before. */
  private final Deque<List<W>> ready = new ArrayDeque<>();

  /** Those that gather, and how much of the room of one call they take. */
  private List<W> gathering = new ArrayList<>();

  private int gathered;
  private int inFlight;
  private boolean sending;

  /** Whether those that gather may go as soon as a call more may be under way. */
  private boolean due;

  /**
   * A queue with so many calls under way, each of which has so much room. With more than one, parts
   * that need not wait do not; with one, nothing is sent while a call is under way.
   */
  CallQueue(int callsInFlight, int room) {
    this.callsInFlight = callsInFlight;
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
    due = false;
  }

  /** All that come together have come: they need not wait for company any more. */
  void hasGathered() {
    due = !gathering.isEmpty();
  }

  /**
   * Takes what may be sent now, in one call, or nothing. Who gets something must send it and then
   * tell that it is {@link #sent}; until then nobody else gets any, which keeps the order.
   */
  List<W> take() {
    if (sending || (callsInFlight == 1 && inFlight > 0)) {
      return List.of();
    }
    if (due && ready.isEmpty() && inFlight < callsInFlight) {
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
    hasGathered();
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
