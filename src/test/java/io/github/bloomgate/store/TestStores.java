package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentField;
import io.github.bloomgate.segment.SegmentFormat;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The stores of one instance of the service, for tests of other packages. */
public record TestStores(
    SegmentStore segments, FilterStore filters, RebuildStore rebuilds, Losses losses) {

  /** How a call is lost. */
  public enum Loss {
    /** The call is answered. */
    NONE,
    /** The connection breaks before Redis gets the call. */
    REQUEST,
    /** Redis runs the call, and the connection breaks before the reply. */
    REPLY,
    /** The connection breaks, and Redis runs the call after the next one. */
    LATE
  }

  /** Where the next error is thrown. */
  public enum Defect {
    ADVANCE,
    ADVANCE_REPLY,
    BITS,
    BITS_REPLY,
    READ,
    HEADER,
    PATCH,
    FOLD,
    CONFIRM
  }

  /** Loses calls, or throws errors, when a test asks for it. */
  public static final class Losses extends SegmentStore {

    private final AtomicReference<Loss> next = new AtomicReference<>(Loss.NONE);
    private final AtomicInteger passing = new AtomicInteger();
    private final AtomicInteger healthy = new AtomicInteger();
    private volatile List<SegmentGroup> late = List.of();
    private volatile Runnable concurrent = () -> {};
    private volatile Runnable beforeFolding = () -> {};
    private volatile boolean refusesFolds;
    private final AtomicReference<Runnable> beforeConfirming = new AtomicReference<>(() -> {});
    private volatile Supplier<Uni<Void>> confirmAfter = () -> Uni.createFrom().voidItem();
    private volatile Uni<Void> roundsHeld = Uni.createFrom().voidItem();
    private volatile Loss ofFolds = Loss.NONE;
    private volatile Uni<Void> foldsHeld = Uni.createFrom().voidItem();
    private final AtomicInteger patches = new AtomicInteger();
    private final AtomicInteger folds = new AtomicInteger();

    /** Where errors are still to be thrown. */
    private final Queue<Defect> defects = new ConcurrentLinkedQueue<>();

    Losses(TestLink link) {
      super(link.scripts(), link.link());
    }

    /** Throws an error in each of the next calls of this kind. */
    public void defect(Defect where, int times) {
      defects.addAll(Collections.nCopies(times, where));
    }

    /** Throws an error in some calls of this kind, after some others. */
    public void defectAfter(int calls, Defect where, int times) {
      healthy.set(calls);
      defect(where, times);
    }

    public void clearDefects() {
      defects.clear();
    }

    public boolean hasDefects() {
      return !defects.isEmpty();
    }

    private void meet(Defect here) {
      if (defects.contains(here) && healthy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return;
      }
      if (defects.remove(here)) {
        throw new OutOfMemoryError("a test wants it");
      }
    }

    @Override
    public Uni<Optional<byte[]>> read(ContentId content, int segment) {
      meet(Defect.READ);
      return super.read(content, segment);
    }

    @Override
    public Uni<byte[]> header(ContentId content, int segment, SegmentFormat format) {
      meet(Defect.HEADER);
      return super.header(content, segment, format);
    }

    /** Sets how the next call is lost. */
    public void lose(Loss loss) {
      lose(loss, () -> {});
    }

    /** Sets how a call is lost after some that are not. */
    public void loseAfter(int calls, Loss loss) {
      passing.set(calls);
      lose(loss);
    }

    /** Sets how the next call is lost, and work to do before the caller gets its result. */
    public void lose(Loss loss, Runnable work) {
      concurrent = work;
      next.set(loss);
    }

    /** Sets work to do before replicas are asked the next time. */
    public void beforeConfirming(Runnable work) {
      beforeConfirming.set(work);
    }

    /** Sets what each call that asks replicas waits for. */
    public void confirmAfter(Supplier<Uni<Void>> gate) {
      confirmAfter = gate;
    }

    @Override
    public Uni<Advance> confirm(SegmentGroup group) {
      meet(Defect.CONFIRM);
      beforeConfirming.getAndSet(() -> {}).run();
      return confirmAfter.get().chain(() -> super.confirm(group));
    }

    /** Holds the replies to rounds until a gate opens. */
    public void holdRounds(Uni<Void> gate) {
      roundsHeld = gate;
    }

    /** Can lose the request or the reply. */
    @Override
    public Uni<List<BitsReply>> bits(List<Bits> some, Effect effect) {
      meet(Defect.BITS);
      var done = super.bits(some, effect).invoke(() -> meet(Defect.BITS_REPLY));
      if (effect == Effect.READ) {
        return done;
      }
      return switch (next.getAndSet(Loss.NONE)) {
        case REQUEST -> lost();
        case REPLY -> done.chain(() -> lost());
        default -> done;
      };
    }

    /** The number of attempted patches. */
    public int patches() {
      return patches.get();
    }

    /** The number of attempted folds. */
    public int folds() {
      return folds.get();
    }

    @Override
    public Uni<FoldReply> patch(KnownSegment known, List<SegmentField> fields) {
      patches.incrementAndGet();
      meet(Defect.PATCH);
      return super.patch(known, fields);
    }

    /** Sets work to do before each fold. */
    public void beforeFolding(Runnable work) {
      beforeFolding = work;
    }

    /** Sets whether folds fail because Redis is full. */
    public void refuseFolds(boolean refuse) {
      refusesFolds = refuse;
    }

    /**
     * Holds folds until a gate opens. With LATE, Redis gets them then. With NONE, it gets them
     * before, and the reply comes then. With REQUEST or REPLY, the connection breaks then.
     */
    public void holdFolds(Loss loss, Uni<Void> gate) {
      foldsHeld = gate;
      ofFolds = loss;
    }

    @Override
    public Uni<FoldReply> fold(KnownSegment known, byte[] bytes, Optional<byte[]> laterMark) {
      folds.incrementAndGet();
      beforeFolding.run();
      meet(Defect.FOLD);
      if (refusesFolds) {
        return Uni.createFrom().failure(StoreErrors.full());
      }
      return switch (ofFolds) {
        case LATE -> foldsHeld.chain(() -> super.fold(known, bytes, laterMark));
        case NONE -> super.fold(known, bytes, laterMark).call(() -> foldsHeld);
        case REQUEST -> foldsHeld.chain(this::lost);
        case REPLY -> super.fold(known, bytes, laterMark).chain(() -> foldsHeld).chain(this::lost);
      };
    }

    @Override
    public Uni<Advance> advance(List<SegmentGroup> groups) {
      meet(Defect.ADVANCE);
      var passes = passing.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
      return switch (passes ? Loss.NONE : next.getAndSet(Loss.NONE)) {
        case NONE -> answered(groups);
        case REQUEST -> lost();
        case REPLY -> super.advance(groups).chain(() -> lost());
        case LATE -> {
          late = groups;
          yield lost();
        }
      };
    }

    private Uni<Advance> answered(List<SegmentGroup> groups) {
      var before = late;
      late = List.of();
      var answer = super.advance(groups).call(() -> roundsHeld).map(this::unusable);
      return before.isEmpty()
          ? answer
          : answer.call(ignored -> super.advance(before).onFailure().recoverWithNull());
    }

    /** The same reply, or one whose use throws an error. */
    private Advance unusable(Advance reply) {
      return defects.remove(Defect.ADVANCE_REPLY)
          ? new Advance(
              reply.millis(),
              reply.replicas(),
              new AbstractList<>() {
                @Override
                public Optional<List<SegmentReply>> get(int index) {
                  throw new StackOverflowError("a test wants it");
                }

                @Override
                public int size() {
                  return reply.groups().size();
                }
              })
          : reply;
    }

    private <T> Uni<T> lost() {
      return Uni.createFrom()
          .voidItem()
          .emitOn(Infrastructure.getDefaultWorkerPool())
          .invoke(() -> concurrent.run())
          .chain(
              () ->
                  Uni.createFrom().failure(StoreErrors.outcomeUnknown("the reply was lost", null)));
    }
  }

  public static TestStores of(TestLink link) {
    var segments = new Losses(link);
    return new TestStores(
        segments, new FilterStore(link.scripts()), new RebuildStore(link.scripts()), segments);
  }

  /** The state of a new filter, with another version and another incarnation each time. */
  public static FilterState state(FilterName name, String definition) {
    return state(name, definition, random(), Optional.empty(), false);
  }

  static FilterState state(
      FilterName name,
      String definition,
      String version,
      Optional<Instant> expiry,
      boolean hasSource) {
    return new FilterState(
        definition,
        version,
        new ContentId(name, random()),
        1,
        Instant.ofEpochMilli(1_700_000_000_000L),
        expiry,
        Optional.empty(),
        Optional.empty(),
        Written.NONE,
        Optional.empty(),
        "an owner",
        hasSource,
        false,
        Optional.empty());
  }

  /** Random hexadecimal digits: a version or an incarnation. */
  public static String random() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  public FindReply.Found found(FilterName name) {
    return assertInstanceOf(FindReply.Found.class, TestLink.await(filters.findWhole(name)));
  }

  /** Opens a rebuild of a filter, and returns the state of its generation. */
  public FilterState open(FilterName name, String definition) {
    var loading = new FilterState.Loading(0, Duration.ofHours(1), Optional.empty());
    var next = state(name, definition).withLoading(loading);
    var reply = rebuilds.open(name, found(name).state().version(), random(), next);
    assertInstanceOf(ChangeReply.Done.class, reply);
    return next;
  }

  public ChangeReply abort(FilterName name) {
    var state = found(name).state();
    return rebuilds.abort(
        name, state.version(), random(), state.next().orElseThrow(), true, "", Optional.empty());
  }

  /** Commits the open rebuild of a filter, by a caller that knows a state of the filter. */
  public ChangeReply commit(FilterName name, FilterState known) {
    return commit(name, known, NewExpiry.KEEP, Optional.empty());
  }

  ChangeReply commit(
      FilterName name, FilterState known, NewExpiry expiry, Optional<AdoptedBitmap> bitmap) {
    var next = found(name).next().orElseThrow();
    return rebuilds.commit(
        name, Optional.of(known), random(), next, List.of(), Optional.empty(), expiry, bitmap);
  }

  /** Clears the filter, by a caller that knows some of its segments. */
  public ChangeReply clear(FilterName name, Written known) {
    return clear(name, known, Optional.empty());
  }

  ChangeReply clear(FilterName name, Written known, Optional<AdoptedBitmap> bitmap) {
    var state = found(name).state().withWritten(known);
    return filters.clear(name, state, random(), new ContentId(name, random()), bitmap);
  }

  /** Tests elements bit by bit. */
  static BitsReply test(SegmentStore segments, Bits bits) {
    return TestLink.await(segments.bits(List.of(bits), Effect.READ)).get(0);
  }

  /** Adds elements bit by bit. */
  static BitsReply add(SegmentStore segments, Bits bits) {
    return TestLink.await(segments.bits(List.of(bits), Effect.WRITE)).get(0);
  }
}
