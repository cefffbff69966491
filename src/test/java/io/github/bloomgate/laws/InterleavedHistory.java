package io.github.bloomgate.laws;

import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The history so far. */
final class InterleavedHistory {

  private final ModelledService service;
  private final List<Deque<ModelCall>> calls;
  private final boolean[] waits;
  final List<ModelEvent> events = new CopyOnWriteArrayList<>();
  private final AtomicLong clock = new AtomicLong();

  InterleavedHistory(ModelledService service, List<Deque<ModelCall>> calls) {
    this.service = service;
    this.calls = calls;
    this.waits = new boolean[calls.size()];
  }

  boolean mayBegin(int client) {
    return !waits[client] && !calls.get(client).isEmpty();
  }

  /** Whether a client may begin a call. */
  boolean mayBegin() {
    return IntStream.range(0, waits.length).anyMatch(this::mayBegin);
  }

  void begin(int client) {
    var call = calls.get(client).remove();
    var begun = clock.getAndIncrement();
    waits[client] = true;
    service
        .start(call)
        .subscribe()
        .with(
            answer -> end(client, new ModelEvent(call, answer, begun, clock.getAndIncrement())),
            failure ->
                end(
                    client,
                    new ModelEvent(call, failure.toString(), begun, clock.getAndIncrement())));
  }

  /** Makes a call after all others are answered. */
  void call(ModelCall call) {
    var begun = clock.getAndIncrement();
    events.add(new ModelEvent(call, service.call(call), begun, clock.getAndIncrement()));
  }

  private void end(int client, ModelEvent event) {
    waits[client] = false;
    events.add(event);
  }

  @Override
  public String toString() {
    return calls + " after " + events;
  }
}
