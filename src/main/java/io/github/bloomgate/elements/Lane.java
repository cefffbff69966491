package io.github.bloomgate.elements;

import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;

/**
 * Requests that share rounds, in order of arrival, with their senders. Used only on the thread of
 * the rounds.
 */
final class Lane {

  private final Object key;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Segments that were read for waiting requests, or could not be. */
  private final List<HeldSegment> awaited = new ArrayList<>();

  /** Pending calls of the current round. */
  private int underWay;

  private boolean isConfirming;

  record Waiting(ElementRequest request, Sender sender) {

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
      return isSpread ? request.name() : "";
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

  void add(Waiting request) {
    waiting.add(request);
  }

  int size() {
    return waiting.size();
  }

  /** Adds requests to a round until it is full. */
  void join(Round round) {
    for (var some : waiting) {
      if (!round.hasRoom()) {
        return;
      }
      try {
        some.request.join(round);
      } catch (RuntimeException unusable) {
        some.request.fail(unusable);
      }
    }
  }

  /** Keeps a copy, or the failure to read it, until the waiting requests have used it. */
  void keep(HeldSegment read) {
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

  /** Ends a call; returns whether it was the last one of the round. */
  boolean endCall() {
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

  /** Delivers finished requests, in one task for each event loop. */
  void release() {
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
