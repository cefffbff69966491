package io.github.bloomgate.elements;

import io.github.bloomgate.redis.CallerContext;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests in order of arrival, with their senders. {@link #add} is thread-safe; everything else is
 * used only on the thread of the rounds.
 */
final class WaitingRequests {

  private final Queue<Waiting> arriving = new ConcurrentLinkedQueue<>();
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private record Waiting(ElementRequest request, Sender sender) {}

  /** The sender of requests to one or more filters, which continues when all of them have left. */
  private static final class Sender {
    private final CallerContext caller = CallerContext.current();
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

  /** Adds requests in one step, so that the same round sees all of them. */
  void add(List<ElementRequest> requests, UniEmitter<? super Void> emitter) {
    var sender = new Sender(emitter, requests.size());
    arriving.addAll(requests.stream().map(request -> new Waiting(request, sender)).toList());
  }

  /** The number of waiting requests, without those that arrived since the last round. */
  int count() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty() && arriving.isEmpty();
  }

  /** Adds pending requests to a round until it is full. */
  void join(Round round) {
    for (var next = arriving.poll(); next != null; next = arriving.poll()) {
      waiting.add(next);
    }
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

  /** The requests that replicas must confirm. */
  List<ElementRequest> unconfirmed() {
    return waiting.stream()
        .map(some -> some.request)
        .filter(ElementRequest::awaitsReplicas)
        .toList();
  }

  /** Delivers finished requests, in one task for each event loop. */
  void release() {
    var doneOfLoops = new HashMap<CallerContext, List<Sender>>();
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
            loop.deliver(
                () ->
                    done.forEach(
                        sender -> sender.caller.deliver(() -> sender.emitter.complete(null)))));
  }
}
