package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/** A coalescer with calls that are answered when a test says so. */
abstract class CoalescedCalls {

  static final int ROOM = 12;
  static final int PATIENCE = 120;

  /** Batches are texts, whose length is their size; the answer to one is itself in parentheses. */
  final Coalescer<String, String, String> coalescer =
      new Coalescer<>(destination -> ROOM, String::length, this::call);

  final List<Call> calls = new CopyOnWriteArrayList<>();

  Uni<List<String>> call(String destination, List<String> batches) {
    return Uni.createFrom().emitter(emitter -> calls.add(new Call(destination, batches, emitter)));
  }

  /** Nothing is kept of a destination once all is answered. */
  @AfterEach
  void nothingIsKept() {
    answerAll();
    assertEquals(0, coalescer.busy());
  }

  /** Lets as many calls be under way as keep others waiting. */
  void fill() {
    for (var i = calls.size(); i < Coalescer.CALLS_IN_FLIGHT; i++) {
      send("filler");
    }
    assertEquals(Coalescer.CALLS_IN_FLIGHT, calls.size());
  }

  /** Answers all calls, those too that are made meanwhile. */
  void answerAll() {
    for (var i = 0; i < calls.size(); i++) {
      calls.get(i).answer();
    }
  }

  UniAssertSubscriber<String> send(String batch) {
    return coalescer
        .send("x", batch)
        .subscribe()
        .withSubscriber(UniAssertSubscriber.<String>create());
  }

  List<List<String>> sent() {
    return calls.stream().map(Call::batches).toList();
  }

  Call last() {
    assertFalse(calls.isEmpty());
    return calls.get(calls.size() - 1);
  }

  record Call(String destination, List<String> batches, UniEmitter<? super List<String>> emitter) {

    void answer() {
      emitter.complete(batches.stream().map(batch -> "(" + batch + ")").toList());
    }
  }
}
