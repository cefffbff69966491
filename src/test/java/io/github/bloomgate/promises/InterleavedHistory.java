package io.github.bloomgate.promises;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.promises.ModelCall.Kind;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Calls of several clients, made step by step in a random order, and the events so far. */
class InterleavedHistory {

  /** Far more than any history needs, unless a request is sent again and again. */
  private static final int MOST_STEPS = 20_000;

  /** The most connections that are lost; a round is repeated once, and fails when lost again. */
  private static final int MOST_LOSSES = 3;

  private final List<TestInstance> instances;
  private final ModelledService service;
  private final List<Deque<ModelCall>> calls;
  private final Random random;
  private final boolean[] waits;

  /** The stream that each client is sending, or null. */
  private final LongAdd[] streams;

  private final AtomicLong clock = new AtomicLong();
  private int losses;
  final List<ModelEvent> events = new CopyOnWriteArrayList<>();

  /**
   * @param calls the calls of each client, in order
   */
  InterleavedHistory(
      List<TestInstance> instances,
      ModelledService service,
      List<Deque<ModelCall>> calls,
      Random random) {
    this.instances = instances;
    this.service = service;
    this.calls = calls;
    this.random = random;
    this.waits = new boolean[calls.size()];
    this.streams = new LongAdd[calls.size()];
  }

  /** Makes the calls, one step of one client or connection at a time. */
  InterleavedHistory run() {
    instances.forEach(instance -> instance.steps().hold());
    // Some clients and connections are slow, and which ones changes.
    var weights = random.ints(calls.size() + 4, 0, 3).map(i -> 1 << (2 * i)).toArray();
    var steps = new ArrayList<Runnable>();
    for (var made = 0; !isDone(); made++) {
      assertTrue(made < MOST_STEPS, () -> "No end of requests for " + this);
      offerSteps(steps, weights);
      if (steps.isEmpty()) {
        // A filter grows on a worker thread.
        Awaitility.await("an answer to each of " + this)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> isDone() || mayBegin() || canGoOn());
        continue;
      }
      steps.get(random.nextInt(steps.size())).run();
      instances.forEach(instance -> instance.threads.awaitIdle());
    }
    assertTrue(
        losses > 0 || events.stream().noneMatch(ModelEvent::lacksReply),
        () -> "A call failed although no connection was lost: " + events);
    return this;
  }

  private void offerSteps(List<Runnable> steps, int[] weights) {
    steps.clear();
    for (var i = 0; i < calls.size(); i++) {
      var client = i;
      if (mayBegin(client)) {
        offer(steps, weights[i], () -> begin(client));
      }
    }
    for (var i = 0; i < instances.size(); i++) {
      var instance = instances.get(i);
      var connection = instance.steps();
      if (connection.canExecute()) {
        offer(steps, weights[calls.size() + 2 * i], connection::execute);
      }
      if (connection.canAnswer()) {
        offer(steps, weights[calls.size() + 2 * i + 1], connection::answer);
      }
    }
    if (!steps.isEmpty() && random.nextInt(10) == 0) {
      disturb(steps, instances.get(random.nextInt(instances.size())));
    }
  }

  private static void offer(List<Runnable> steps, int weight, Runnable step) {
    IntStream.range(0, weight).forEach(i -> steps.add(step));
  }

  /** The next step is a fold of all journals at rest, or the loss of a connection. */
  private void disturb(List<Runnable> steps, TestInstance instance) {
    var connection = instance.steps();
    if (random.nextBoolean()) {
      steps.clear();
      steps.add(() -> instance.rounds.restAll().subscribe().with(ignored -> {}));
    } else if (losses < MOST_LOSSES && (connection.canExecute() || connection.canAnswer())) {
      losses++;
      steps.clear();
      steps.add(connection::lose);
    }
  }

  private boolean isDone() {
    return IntStream.range(0, waits.length)
        .allMatch(client -> !waits[client] && calls.get(client).isEmpty());
  }

  private boolean mayBegin(int client) {
    return !waits[client] && !calls.get(client).isEmpty();
  }

  /** Whether a client may begin a call. */
  private boolean mayBegin() {
    return IntStream.range(0, waits.length).anyMatch(this::mayBegin);
  }

  private boolean canGoOn() {
    return instances.stream()
        .map(TestInstance::steps)
        .anyMatch(steps -> steps.canExecute() || steps.canAnswer());
  }

  private void begin(int client) {
    var call = calls.get(client).remove();
    var begun = clock.getAndIncrement();
    waits[client] = true;
    noteBegin(call);
    start(client, call)
        .subscribe()
        .with(
            answer -> end(client, new ModelEvent(call, answer, begun, clock.getAndIncrement())),
            failure ->
                end(
                    client,
                    new ModelEvent(call, failure.toString(), begun, clock.getAndIncrement())));
  }

  /** Called before a call begins. */
  void noteBegin(ModelCall call) {}

  private Uni<String> start(int client, ModelCall call) {
    if (call.kind() != Kind.LINES && call.kind() != Kind.END) {
      return service.start(call);
    }
    if (streams[client] == null) {
      streams[client] = service.stream(call);
    }
    return service.start(call, streams[client]);
  }

  /** Makes a call after all others are answered. */
  void call(ModelCall call) {
    var begun = clock.getAndIncrement();
    events.add(new ModelEvent(call, service.call(call), begun, clock.getAndIncrement()));
  }

  private void end(int client, ModelEvent event) {
    var kind = event.call().kind();
    var isStopped = kind == Kind.LINES && !event.answer().startsWith("flags");
    while (isStopped && calls.get(client).remove().kind() != Kind.END) {}
    if (isStopped || kind == Kind.END) {
      streams[client] = null;
    }
    events.add(event);
    waits[client] = false;
  }

  @Override
  public String toString() {
    return calls + " after " + events;
  }
}
