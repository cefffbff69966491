package io.github.bloomgate.memory;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * too high. Thread-safe.
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
    /** What filters stand by in lists that are ordered by their figures. */
    ORDERS,
    /** Copies of segments, beside the heap. */
    COPIES
  }

  /** How long somebody waits for room. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How many may. */
  static final int MAX_WAITING = 256;

  private static final int PART_OF_ONE_USE = 2;

  private final long limit;
  private final long limitOfCopies;
  private final AtomicLong taken = new AtomicLong();
  private final Map<Use, AtomicLong> takenFor = new EnumMap<>(Use.class);
  private final Map<Use, Counter> refusals = new EnumMap<>(Use.class);

  /** In the order in which they came; guarded by itself. */
  private final List<Waiting> queue = new ArrayList<>();

  private final AtomicInteger queued = new AtomicInteger();

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
      var bytes = new AtomicLong();
      var name = use.name().toLowerCase(Locale.ROOT);
      takenFor.put(use, bytes);
      Gauge.builder("bloom.memory.held", bytes, AtomicLong::get)
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
    Gauge.builder("bloom.memory.waiting", queued, AtomicInteger::get)
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
    return takenFor.get(use).get();
  }

  /** Takes bytes; false, and nothing is taken, if they do not fit. */
  public boolean take(Use use, long bytes) {
    var forUse = takenFor.get(use);
    if (forUse.addAndGet(bytes) > (use == Use.COPIES ? limitOfCopies : most())) {
      forUse.addAndGet(-bytes);
      return false;
    }
    if (use != Use.COPIES && taken.addAndGet(bytes) > limit) {
      taken.addAndGet(-bytes);
      forUse.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** Gives bytes back that were taken, and lets those in who wait for them. */
  public void giveBack(Use use, long bytes) {
    takenFor.get(use).addAndGet(-bytes);
    if (use != Use.COPIES) {
      taken.addAndGet(-bytes);
      if (queued.get() > 0) {
        admit();
      }
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
   * Takes bytes, and waits for them if need be. For a thread that may.
   *
   * @throws BloomException OVERLOADED if there is no room in time
   */
  public void takeOrWait(Use use, long bytes) {
    if (take(use, bytes)) {
      return;
    }
    var admission = new CompletableFuture<Boolean>();
    await(use, bytes, admission::complete);
    if (!admission.join()) {
      throw RequestErrors.overloaded();
    }
  }

  /**
   * Waits for room.
   *
   * @param told once, on any thread: true when the bytes are taken, false if they cannot be had
   */
  public void await(Use use, long bytes, Consumer<Boolean> told) {
    var waiting = new Waiting(use, bytes, told);
    if (bytes > most() || !enqueue(waiting)) {
      refuse(waiting);
      return;
    }
    // The timer outlives the wait, and who waited may hold a whole request with its body. While he
    // waits, the queue holds him.
    var waits = new WeakReference<>(waiting);
    // Room may have been given back since it was asked for.
    admit();
    var unused =
        Infrastructure.getDefaultWorkerPool()
            .schedule(() -> expire(waits.get()), PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private boolean enqueue(Waiting waiting) {
    synchronized (queue) {
      if (queue.size() >= MAX_WAITING) {
        return false;
      }
      queue.add(waiting);
      queued.set(queue.size());
      return true;
    }
  }

  /** Lets in who fits; nobody of one use overtakes another of it. */
  private void admit() {
    var admitted = new ArrayList<Waiting>();
    synchronized (queue) {
      var held = EnumSet.noneOf(Use.class);
      for (var waiting : List.copyOf(queue)) {
        if (!held.contains(waiting.use()) && take(waiting.use(), waiting.bytes())) {
          queue.remove(waiting);
          admitted.add(waiting);
        } else {
          held.add(waiting.use());
        }
      }
      queued.set(queue.size());
    }
    admitted.forEach(waiting -> waiting.told().accept(true));
  }

  /** Refuses who still waits; null or somebody who was let in does not. */
  private void expire(Waiting waiting) {
    boolean waited;
    synchronized (queue) {
      waited = queue.remove(waiting);
      queued.set(queue.size());
    }
    if (waited) {
      refuse(waiting);
    }
  }

  private void refuse(Waiting waiting) {
    refusals.get(waiting.use()).increment();
    waiting.told().accept(false);
  }

  /** Counts somebody who was refused without having waited. */
  public void countRefusal(Use use) {
    refusals.get(use).increment();
  }

  /** One who waits; each is equal to itself only, as its listener is. */
  private record Waiting(Use use, long bytes, Consumer<Boolean> told) {}
}
