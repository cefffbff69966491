package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.redis.CallerContext;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Requests in order of arrival, with their callers. {@link #add} is thread-safe; everything else is
 * used only on the thread of the rounds.
 */
final class WaitingRequests {

  private final Queue<Waiting> arriving = new ConcurrentLinkedQueue<>();
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private record Waiting(
      ElementRequest request, CallerContext caller, UniEmitter<? super Outcome> emitter) {}

  void add(ElementRequest request, UniEmitter<? super Outcome> emitter) {
    arriving.add(new Waiting(request, CallerContext.current(), emitter));
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
    var leaving = waiting.stream().filter(some -> some.request.isToLeave()).toList();
    if (leaving.isEmpty()) {
      return;
    }
    waiting.removeIf(some -> some.request.isToLeave());
    leaving.stream()
        .collect(Collectors.groupingBy(some -> some.caller.shared()))
        .forEach(
            (loop, done) ->
                loop.deliver(() -> done.forEach(some -> some.caller.deliver(() -> answer(some)))));
  }

  private static void answer(Waiting done) {
    var failure = done.request.failure();
    if (failure != null) {
      done.emitter.fail(failure);
    } else {
      done.emitter.complete(done.request.outcome().orElseThrow());
    }
  }
}
