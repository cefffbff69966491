package io.github.bloomgate.memory;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The one bound of all memory that grows with what clients ask for. Code that is about to hold
 * bytes takes them here first, and gives them back when they are gone; so what does not fit is
 * refused before it is on the heap.
 *
 * <p>What requests take is on the heap, and one use takes half of it at most, so that none keeps
 * all others out. Copies of segments are beside the heap and have a bound of their own. Who finds
 * no room may wait: for a few seconds, with few others, in order. The bytes are estimates, rather
 * too high. {@link Shares} divides each use, and the places to wait, between clients. Thread-safe.
 */
@Singleton
public final class MemoryBudget {

  /** What memory is taken for. */
  public enum Use {
    /** Bodies that are read as a whole, and what is parsed of them, until they are answered. */
    BODIES,
    /** What streams, exports and imports hold of their bodies. */
    STREAMS,
    /** The bits of elements that are added and tested. */
    WORK,
    /** Bitmaps that are read, joined and written. */
    BITMAPS,
    /** Copies of segments, beside the heap. */
    COPIES
  }

  private static final int PART_OF_ONE_USE = 2;

  private final long limit;
  private final long limitOfCopies;
  private final AtomicLong taken = new AtomicLong();
  private final Map<Use, Shares> takenFor = new EnumMap<>(Use.class);
  private final Map<Use, Counter> refusals = new EnumMap<>(Use.class);

  private final RoomQueue queue = new RoomQueue(this);

  @Inject
  MemoryBudget(BloomgateConfig config, MeterRegistry metrics) {
    this(
        (long) (Runtime.getRuntime().maxMemory() * config.memory().heapShare()),
        config.memory().copies().asLongValue(),
        metrics);
  }

  /** A budget of so many bytes, and so many for copies. */
  public MemoryBudget(long limit, long limitOfCopies, MeterRegistry metrics) {
    this.limit = limit;
    this.limitOfCopies = limitOfCopies;
    for (var use : Use.values()) {
      var bytes = new Shares(use == Use.COPIES ? limitOfCopies : limit / PART_OF_ONE_USE);
      var name = use.name().toLowerCase(Locale.ROOT);
      takenFor.put(use, bytes);
      Gauge.builder("bloom.memory.held", bytes, Shares::taken)
          .description("Bytes of memory taken for a use, estimated.")
          .tag("use", name)
          .baseUnit("bytes")
          .register(metrics);
      refusals.put(
          use,
          Counter.builder("bloom.memory.refusals")
              .description("Number of requests refused because there was no memory for a use.")
              .tag("use", name)
              .register(metrics));
    }
    Gauge.builder("bloom.memory.limit", this, budget -> budget.limit)
        .description("Bytes of memory that all uses but copies may take together.")
        .baseUnit("bytes")
        .register(metrics);
    Gauge.builder("bloom.memory.waiting", queue, RoomQueue::size)
        .description("Number of requests that wait for memory.")
        .register(metrics);
  }

  /** The most that one use may take, but for copies. */
  public long most() {
    return limit / PART_OF_ONE_USE;
  }

  /** The most that copies may take. */
  public long mostCopies() {
    return limitOfCopies;
  }

  /** What is taken for a use now. */
  public long taken(Use use) {
    return takenFor.get(use).taken();
  }

  /** What a request of a client is going to hold; nothing yet. */
  public Holding hold(Use use, String client) {
    return new Holding(this, use, client);
  }

  /** Takes bytes for no client; false, and nothing is taken, if they do not fit. */
  public boolean take(Use use, long bytes) {
    return take(use, Shares.NO_CLIENT, bytes);
  }

  boolean take(Use use, String client, long bytes) {
    return tryTake(use, client, bytes) == Shares.Result.TAKEN;
  }

  Shares.Result tryTake(Use use, String client, long bytes) {
    var shares = takenFor.get(use);
    var result = shares.take(client, bytes);
    if (result == Shares.Result.TAKEN && use != Use.COPIES && taken.addAndGet(bytes) > limit) {
      taken.addAndGet(-bytes);
      shares.giveBack(client, bytes);
      return Shares.Result.ALL_USED;
    }
    return result;
  }

  /** Gives bytes back that were taken for no client, and lets those in who wait for them. */
  public void giveBack(Use use, long bytes) {
    giveBack(use, Shares.NO_CLIENT, bytes);
  }

  void giveBack(Use use, String client, long bytes) {
    takenFor.get(use).giveBack(client, bytes);
    if (use != Use.COPIES) {
      taken.addAndGet(-bytes);
      queue.admit();
    }
  }

  /**
   * Does some work for which bytes are taken until it ends. More than one use may take at all is
   * what it takes alone.
   *
   * <p>Who had to wait goes on in a turn of its own: on the event loop it came on, else on a worker
   * thread. Fails with OVERLOADED when there is no room in time; nothing was begun then.
   */
  public <T> Uni<T> holding(Use use, long bytes, Supplier<Uni<T>> work) {
    var size = Math.min(bytes, most());
    return Uni.createFrom()
        .deferred(() -> take(use, size) ? held(use, size, work) : afterWaiting(use, size, work));
  }

  private <T> Uni<T> held(Use use, long bytes, Supplier<Uni<T>> work) {
    return Uni.createFrom().deferred(work::get).onTermination().invoke(() -> giveBack(use, bytes));
  }

  /**
   * The work is done even if nobody asks for it any more: what is taken is given back in any case.
   */
  private <T> Uni<T> afterWaiting(Use use, long bytes, Supplier<Uni<T>> work) {
    var place = Place.ofCaller();
    return Uni.createFrom()
        .emitter(
            emitter ->
                await(
                    use,
                    bytes,
                    admitted -> {
                      if (admitted) {
                        place.go(
                            () ->
                                held(use, bytes, work)
                                    .subscribe()
                                    .with(emitter::complete, emitter::fail));
                      } else {
                        place.go(() -> emitter.fail(RequestErrors.overloaded()));
                      }
                    }));
  }

  /**
   * Takes bytes for no client, and waits for them if need be. For a thread that may.
   *
   * @throws BloomException OVERLOADED if there is no room in time
   */
  public void takeOrWait(Use use, long bytes) {
    hold(use, Shares.NO_CLIENT).growOrWait(bytes);
  }

  /**
   * Waits for room, for no client.
   *
   * @param told once, on any thread: true when the bytes are taken, false if they cannot be had
   */
  public void await(Use use, long bytes, Consumer<Boolean> told) {
    await(use, Shares.NO_CLIENT, bytes, told);
  }

  void await(Use use, String client, long bytes, Consumer<Boolean> told) {
    if (bytes > most()) {
      countRefusal(use);
      told.accept(false);
    } else {
      queue.enter(use, client, bytes, told);
    }
  }

  /** Counts somebody who was refused without having waited. */
  public void countRefusal(Use use) {
    refusals.get(use).increment();
  }
}
