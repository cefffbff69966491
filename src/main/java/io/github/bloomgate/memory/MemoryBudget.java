package io.github.bloomgate.memory;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.threads.OwnContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The limit of all memory that grows with client requests. Code takes bytes here before it
 * allocates them and gives them back afterwards, so a request that does not fit is refused before
 * it uses the heap.
 *
 * <p>Requests use the heap, and one use takes at most half of it, so that it cannot block the
 * others. Copies of segments are off-heap and do not count. A request without room waits a few
 * seconds in a short queue. The bytes are generous estimates. {@link Shares} divides the whole,
 * each use and the queue between clients. Thread-safe.
 */
@Singleton
public final class MemoryBudget {

  /** What memory is taken for. */
  public enum Use {
    /** Bodies that are read as a whole, with their parsed form, until the response is sent. */
    BODIES,
    /** Buffered parts of streams, exports and imports. */
    STREAMS,
    /** The bits of elements being added or tested. */
    WORK,
    /** Bitmaps being read, joined or written. */
    BITMAPS,
    /** Requests from their head on, with their responses, until the client has read them. */
    ANSWERS,
    /** Open connections, with the heads of requests that have not arrived completely. */
    CONNECTIONS
  }

  private static final int PART_OF_ONE_USE = 2;

  private final long limit;
  private final long mostBitmaps;
  private final AtomicLong requests = new AtomicLong();
  private final Shares all;
  private final Map<Use, Shares> takenFor = new EnumMap<>(Use.class);
  private final Map<Use, Counter> refusals = new EnumMap<>(Use.class);

  private final RoomQueue queue = new RoomQueue(this);

  @Inject
  MemoryBudget(BloomgateConfig config, MeterRegistry metrics) {
    this(
        (long) (Runtime.getRuntime().maxMemory() * config.memory().heapShare()),
        DirectMemory.forBitmaps(),
        metrics);
  }

  public MemoryBudget(long limit, MeterRegistry metrics) {
    this(limit, limit, metrics);
  }

  /**
   * @param mostBitmaps a further limit of {@link Use#BITMAPS}, which are mostly off-heap
   */
  private MemoryBudget(long limit, long mostBitmaps, MeterRegistry metrics) {
    this.limit = limit;
    this.mostBitmaps = mostBitmaps;
    this.all = new Shares(limit);
    for (var use : Use.values()) {
      var bytes = new Shares(most(use));
      var name = use.name().toLowerCase(Locale.ROOT);
      takenFor.put(use, bytes);
      Gauge.builder("bloom.memory.held", bytes, Shares::taken)
          .description("Estimated bytes of memory in use.")
          .tag("use", name)
          .baseUnit("bytes")
          .register(metrics);
      refusals.put(
          use,
          Counter.builder("bloom.memory.refusals")
              .description("Number of requests refused for lack of memory.")
              .tag("use", name)
              .register(metrics));
    }
    Gauge.builder("bloom.memory.limit", this, budget -> budget.limit)
        .description("Limit of memory for all uses, in bytes.")
        .baseUnit("bytes")
        .register(metrics);
    Gauge.builder("bloom.memory.waiting", queue, RoomQueue::size)
        .description("Number of requests waiting for memory.")
        .register(metrics);
  }

  /** The limit of one use, in bytes. */
  public long most() {
    return limit / PART_OF_ONE_USE;
  }

  private long most(Use use) {
    return use == Use.BITMAPS ? Math.min(most(), mostBitmaps) : most();
  }

  /** The bytes in use. */
  public long taken(Use use) {
    return takenFor.get(use).taken();
  }

  /** A holding for a client's request, empty so far. */
  public Holding hold(Use use, String client) {
    return new Holding(this, use, client, requests.getAndIncrement(), Optional.empty());
  }

  /** Takes bytes for a client; nothing is taken if they do not fit. */
  Shares.Result take(Use use, String client, long bytes) {
    var shares = takenFor.get(use);
    var result = shares.take(client, bytes);
    if (result != Shares.Result.TAKEN) {
      return result;
    }
    result = all.take(client, bytes);
    if (result != Shares.Result.TAKEN) {
      shares.giveBack(client, bytes);
    }
    return result;
  }

  /** Gives back bytes of a client and admits waiting requests. */
  void giveBack(Use use, String client, long bytes) {
    takenFor.get(use).giveBack(client, bytes);
    all.giveBack(client, bytes);
    queue.admit();
  }

  /**
   * Takes bytes for a client, does the work and gives them back. If the caller cancels, the work
   * goes on, because it still uses the memory.
   *
   * <p>After a wait the work continues on the caller's event loop, or on a worker thread if it had
   * none. Fails with OVERLOADED if there is no room in time; the work has not started then.
   *
   * @param bytes at most {@link #most}
   */
  public <T> Uni<T> holding(Use use, String client, long bytes, Supplier<Uni<T>> work) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var holding = hold(use, client);
              if (holding.grow(bytes)) {
                run(holding, work, emitter);
              } else {
                runAfterWaiting(holding, bytes, work, emitter);
              }
            });
  }

  private static <T> void runAfterWaiting(
      Holding holding, long bytes, Supplier<Uni<T>> work, UniEmitter<? super T> emitter) {
    var place = OwnContext.loopOrWorkers();
    holding.await(
        bytes,
        admitted ->
            place.execute(
                () -> {
                  if (admitted) {
                    run(holding, work, emitter);
                  } else {
                    emitter.fail(RequestErrors.overloaded());
                  }
                }));
  }

  private static <T> void run(
      Holding holding, Supplier<Uni<T>> work, UniEmitter<? super T> emitter) {
    Uni.createFrom()
        .deferred(work::get)
        .onTermination()
        .invoke(holding::close)
        .subscribe()
        .with(emitter::complete, emitter::fail);
  }

  /**
   * Takes bytes for no particular client, waiting for them if necessary. Work above the limit of
   * its use runs alone. Blocks.
   *
   * @throws BloomException OVERLOADED if there is no room in time
   */
  public Holding takeOrWait(Use use, long bytes) {
    var holding = hold(use, Shares.NO_CLIENT);
    holding.growOrWait(Math.min(bytes, most(use)));
    return holding;
  }

  void await(Holding holding, long bytes, Consumer<Boolean> result) {
    if (bytes > most(holding.use())) {
      countRefusal(holding.use());
      result.accept(false);
    } else {
      queue.enter(holding, bytes, result);
    }
  }

  /** Counts a request refused without waiting. */
  public void countRefusal(Use use) {
    refusals.get(use).increment();
  }
}
