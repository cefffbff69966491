package io.github.bloomgate.elements;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Requests that share rounds, in order of arrival, with their senders. Used only on the thread of
 * the rounds.
 */
final class Lane {

  private final Object key;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Deque<Refresh> refreshes = new ArrayDeque<>();

  /** Segments that were read for waiting requests, or could not be. */
  private final List<HeldSegment> awaited = new ArrayList<>();

  /** The bytes of segments being read for it. */
  private long reading;

  /** Pending calls of the current round. */
  private int underWay;

  private boolean isConfirming;

  private long eventAtNanos = System.nanoTime();

  record Waiting(ElementRequest request, Sender sender) {

    private void join(Round round) {
      if (round.room().isLeft()) {
        try {
          new Joining(round, request).run();
        } catch (Throwable unusable) {
          request.fail(RoundFailures.known(unusable));
        }
      }
    }

    /** The requests of one sender. Called on its thread. */
    static List<Waiting> of(List<ElementRequest> requests, UniEmitter<? super Void> emitter) {
      var sender = new Sender(emitter, requests.size());
      return requests.stream().map(request -> new Waiting(request, sender)).toList();
    }

    /**
     * What it has in common with the other requests of its lane.
     *
     * @param isSpread whether Redis is a cluster
     */
    Object laneKey(boolean isSpread) {
      if (request.hasRaw()) {
        return isSpread ? request : sender;
      }
      return keyOf(request.name(), isSpread);
    }
  }

  /** The sender of requests to one or more filters, which continues when all of them have left. */
  private static final class Sender {
    private final OwnContext caller = OwnContext.current();
    private final UniEmitter<? super Void> emitter;
    private int waiting;

    Sender(UniEmitter<? super Void> emitter, int waiting) {
      this.emitter = emitter;
      this.waiting = waiting;
    }

    boolean hasAll() {
      waiting--;
      return waiting == 0;
    }
  }

  /**
   * @param key what its requests have in common
   */
  Lane(Object key) {
    this.key = key;
  }

  Object key() {
    return key;
  }

  /**
   * The key of the lane for requests to the copies of a filter.
   *
   * @param isSpread whether Redis is a cluster
   */
  static Object keyOf(FilterName name, boolean isSpread) {
    return isSpread ? name : "";
  }

  void add(Waiting request) {
    waiting.add(request);
  }

  void add(Refresh some) {
    refreshes.add(some);
  }

  /** The number of its requests. */
  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty() && refreshes.isEmpty();
  }

  /**
   * Adds refreshes of watched filters to a round up to half of it, then requests until it is full:
   * all, or parts of them.
   */
  void join(Round round) {
    refreshes.forEach(some -> join(round, some));
    if (mayFit()) {
      waiting.forEach(some -> some.join(round));
    } else {
      divide(round);
    }
  }

  private static void join(Round round, Refresh some) {
    try {
      some.join(round);
    } catch (RuntimeException | OutOfMemoryError unusable) {
      // The requests that use the segment get the failure.
      some.giveUp(RoundFailures.known(unusable));
    }
  }

  private boolean mayFit() {
    var work = 0L;
    var segments = 0L;
    for (var some : waiting) {
      work += some.request.work();
      segments += some.request.segments();
      if (work > RoundRoom.MOST_WORK || segments > RoundRoom.MOST_SEGMENTS) {
        return false;
      }
    }
    return true;
  }

  /**
   * Divides a round between clients, and the part of a client between its requests. Those with the
   * least work come first; what they leave is divided between the others. So a large request takes
   * several rounds, and smaller ones do not wait for it.
   */
  private void divide(Round round) {
    var works = new HashMap<Waiting, Long>();
    var clients = new LinkedHashMap<String, List<Waiting>>();
    for (var some : waiting) {
      works.put(some, some.request.work());
      clients.computeIfAbsent(some.request.client().id(), id -> new ArrayList<>()).add(some);
    }
    var leastFirst = new ArrayList<>(clients.values());
    leastFirst.sort(Comparator.comparingLong(its -> its.stream().mapToLong(works::get).sum()));
    var clientsLeft = leastFirst.size();
    var room = round.room();
    for (var its : leastFirst) {
      its.sort(Comparator.comparingLong(works::get));
      var limit = room.work() + (RoundRoom.MOST_WORK - room.work()) / clientsLeft--;
      var left = its.size();
      for (var some : its) {
        room.limitWork(room.work() + (limit - room.work()) / left--);
        some.join(round);
      }
    }
  }

  /** Makes all requests fail. */
  void fail(RuntimeException failure) {
    waiting.forEach(some -> some.request.fail(failure));
    refreshes.forEach(some -> some.giveUp(failure));
  }

  /** Notes the outcome of a round for the refreshes in it. */
  void endRefreshes(RoundFindings findings) {
    refreshes.forEach(some -> some.end(findings));
  }

  long reading() {
    return reading;
  }

  /** Records that a segment is being read for its requests, until {@link #keep}. */
  void beginReading(HeldSegment some) {
    reading += some.bitmapBytes();
  }

  /** Keeps a copy, or the failure to read it, until the waiting requests have used it. */
  void keep(HeldSegment read) {
    reading -= read.bitmapBytes();
    awaited.add(read);
  }

  /** Keeps no copies any longer; returns whether it kept some. */
  boolean keepNone() {
    var kept = !awaited.isEmpty();
    awaited.forEach(HeldSegment::release);
    awaited.clear();
    return kept;
  }

  boolean isUnderWay() {
    return underWay > 0;
  }

  void beginCalls(int calls) {
    underWay += calls;
  }

  /** Records that its requests, or what they wait for, have made progress. */
  void noteEvent() {
    eventAtNanos = System.nanoTime();
  }

  /** Whether requests wait and there was no event for some time. */
  boolean isStuck(Duration longest) {
    return !waiting.isEmpty() && System.nanoTime() - eventAtNanos > longest.toNanos();
  }

  /** Ends a call; returns whether it was the last one of the round. */
  boolean endCall() {
    noteEvent();
    underWay--;
    return underWay == 0;
  }

  /** The requests that replicas must confirm; empty while others are being confirmed. */
  List<ElementRequest> unconfirmed() {
    return isConfirming
        ? List.of()
        : waiting.stream()
            .map(some -> some.request)
            .filter(ElementRequest::awaitsReplicas)
            .toList();
  }

  void setConfirming(boolean confirming) {
    isConfirming = confirming;
  }

  /** Ends refreshes that have asked about all segments, and delivers finished requests. */
  void release(HeldSegments held) {
    for (var left = refreshes.size(); left > 0; left--) {
      var some = refreshes.poll();
      if (some.isToLeave()) {
        some.leave(held);
      } else {
        refreshes.add(some);
      }
    }
    release();
  }

  /** Delivers finished requests, in one task for each event loop. */
  private void release() {
    var doneOfLoops = new HashMap<OwnContext, List<Sender>>();
    for (var left = waiting.size(); left > 0; left--) {
      var some = waiting.poll();
      if (!some.request.isToLeave()) {
        waiting.add(some);
      } else if (some.sender.hasAll()) {
        doneOfLoops
            .computeIfAbsent(some.sender.caller.shared(), loop -> new ArrayList<>())
            .add(some.sender);
      }
    }
    doneOfLoops.forEach(
        (loop, done) ->
            loop.run(
                () ->
                    done.forEach(
                        sender -> sender.caller.run(() -> sender.emitter.complete(null)))));
  }
}
