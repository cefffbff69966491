package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.AddedElements;
import io.github.bloomgate.elements.ElementCalls;
import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.ChangeReplies;
import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.Ledger;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.EndedRun;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.Written;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * An open rebuild: a next generation that is loaded and then becomes the live one in one step. Its
 * target is a filter, which is in use meanwhile ({@link Replacement}), or a name that has no filter
 * yet ({@link Creation}). All methods fail with {@link BloomException}. All but {@link #load}
 * block.
 */
public abstract sealed class Rebuild implements AutoCloseable permits Replacement, Creation {

  private static final Logger LOG = Logger.getLogger(Rebuild.class);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int CLOSE_ATTEMPTS = 10;

  /** What rebuilds are made of. */
  record Parts(
      LiveFilters live,
      ElementCalls elements,
      RebuildStore store,
      ChangeReplies changes,
      Ledger ledger) {}

  final LiveFilters live;
  final Ledger ledger;
  private final ElementCalls elements;
  private final RebuildStore store;
  private final ChangeReplies changes;
  private final Generation next;
  private final String run;
  private final Optional<Instant> openedAt;
  private volatile Generation current;
  private volatile boolean isEnded;

  /**
   * @param run the run on whose behalf it is aborted, unless another run has the claim; empty for a
   *     client, which may always abort it
   * @param openedAt empty if it is continued
   */
  Rebuild(Parts parts, Generation next, String run, Optional<Instant> openedAt) {
    this.live = parts.live;
    this.ledger = parts.ledger;
    this.elements = parts.elements;
    this.store = parts.store;
    this.changes = parts.changes;
    this.next = next;
    this.current = next;
    this.run = run;
    this.openedAt = openedAt;
  }

  /** The current generation, for {@link io.github.bloomgate.elements.WholeSegments}. */
  abstract Generation view();

  /** The version of the live generation; empty if there is none. */
  abstract String liveVersion();

  /** Replaces what is live, or makes the filter. */
  abstract ChangedFilter replace(long minElements, NewExpiry expiry, Optional<EndedRun> ended);

  /** The entry of the name in the catalogue, if this instance knows it. */
  abstract Optional<String> entry();

  /** What a larger generation, or a new filter, would have taken no longer counts. */
  abstract void giveShareBack(boolean isAborted);

  /** The next generation, as of when this was opened. */
  public Generation next() {
    return next;
  }

  /** The next generation with all layers and segments known to this. */
  Generation current() {
    return current;
  }

  /** When it was opened, by the Redis clock; not for one that is continued. */
  public Instant openedAt() {
    return openedAt.orElseThrow();
  }

  FilterName name() {
    return next.name();
  }

  private String incarnation() {
    return next.content().incarnation();
  }

  /**
   * Loads elements.
   *
   * @return for each element, in order, whether it changed a bit
   * @throws BloomException REBUILD_NOT_FOUND if it was committed or aborted; FILTER_FULL
   */
  public Uni<Flags> load(List<byte[]> batch, Client client) {
    return elements
        .load(name(), incarnation(), batch, client)
        .call(request -> received(batch.size() - request.live().count(Verdict.REFUSED)))
        .invoke(AddedElements::requireAll)
        .map(request -> request.answers(Verdict.CHANGED));
  }

  /** Extends the expiry of the rebuild, and counts elements that were loaded. */
  public void count(long loaded) {
    await(received(loaded));
  }

  private Uni<Void> received(long loaded) {
    return received(loaded, Written.NONE, new Attempts(live, name()));
  }

  private Uni<Void> received(long loaded, Written renewed, Attempts attempts) {
    return store
        .loaded(current.stored(), loaded, renewed)
        .chain(
            reply -> {
              if (reply instanceof ChangeReply.Done) {
                return Uni.createFrom().voidItem();
              } else if (reply instanceof ChangeReply.OtherSegments others) {
                attempts.count();
                return received(loaded, others.written(), attempts);
              } else if (reply instanceof ChangeReply.Refused refused
                  && refused.refusal() == Refusal.CHANGED) {
                // It has a new layer, which happens a few dozen times at most.
                return reread().chain(() -> received(loaded, renewed, attempts));
              }
              return Uni.createFrom().failure(refusal(reply));
            });
  }

  private BloomException refusal(ChangeReply reply) {
    return reply.equals(new ChangeReply.Refused(Refusal.DAMAGED))
        ? FilterErrors.damaged(name(), Keys.next(name()))
        : RebuildErrors.notFound(name());
  }

  private Uni<Void> reread() {
    return live.find(name())
        .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
        .transform(gone -> RebuildErrors.notFound(name()))
        .invoke(found -> current = mine(found))
        .replaceWithVoid();
  }

  /** Its generation in a filter that was read; fails with REBUILD_NOT_FOUND if it has ended. */
  Generation mine(Filter found) {
    return found
        .next()
        .filter(some -> some.content().equals(next.content()))
        .orElseThrow(() -> RebuildErrors.notFound(name()));
  }

  /**
   * Checks that the filter can get an expiry.
   *
   * @throws BloomException INVALID_REQUEST if an adopted filter would expire when idle
   */
  void requirePossible(NewExpiry expiry) {
    if (current.adoptedKey().isPresent() && expiry.idle().isPresent()) {
      throw FilterErrors.cannotBeIdle(name());
    }
  }

  /** Commits as {@link #commit(long, NewExpiry, Optional)}, without a run. */
  public ChangedFilter commit(long minElements, NewExpiry expiry) {
    return commit(minElements, expiry, Optional.empty());
  }

  /**
   * Replaces the live generation in one step, and returns the filter. After a failure other than
   * STORE_OUTCOME_UNKNOWN, it was not replaced.
   *
   * @param minElements the least number of loaded elements; 0 accepts an empty generation
   * @param expiry the new expiry of the filter
   * @param ended the run that loaded it, which ends in the same step
   * @throws BloomException REBUILD_NOT_FOUND, REBUILD_EMPTY, REBUILD_TOO_SMALL; REBUILD_IN_PROGRESS
   *     if only a run of the source knows when it is complete; FILTER_DAMAGED if part of the next
   *     generation is missing; LIMIT_EXCEEDED for a new filter; all of {@link #requirePossible}
   */
  ChangedFilter commit(long minElements, NewExpiry expiry, Optional<EndedRun> ended) {
    requirePossible(expiry);
    ChangedFilter committed;
    try {
      committed = replace(minElements, expiry, ended);
    } catch (BloomException failure) {
      live.forget(name());
      throw orRebuildNotFound(failure);
    }
    isEnded = true;
    LOG.infof("Committed the rebuild of filter %s", name());
    return committed;
  }

  /** Deleting the filter ends the rebuild too. */
  BloomException orRebuildNotFound(BloomException failure) {
    return ErrorCode.FILTER_NOT_FOUND.isOf(failure) ? RebuildErrors.notFound(name()) : failure;
  }

  /** Makes one attempt; empty if the filter changed or another segment was written. */
  Optional<ChangedFilter> commit(
      Optional<Generation> replaced,
      Generation loaded,
      NewExpiry expiry,
      Optional<EndedRun> ended) {
    var bytes = replaced.map(Generation::sizeBytes);
    var isEntered = expiry.isKept() && bytes.equals(Optional.of(loaded.sizeBytes()));
    var entry = entry();
    var reply =
        store.commit(
            name(),
            replaced.map(Generation::state),
            ContentId.newId(),
            loaded.state(),
            loaded.asked(),
            ended,
            expiry,
            replaced.flatMap(Generation::adoptedBitmap));
    if (reply instanceof ChangeReply.OtherSegments others) {
      current = loaded.withWritten(others.written());
    } else if (isNameTaken(reply)) {
      throw RebuildErrors.notFound(name());
    }
    var committed = changes.changed(name(), reply);
    if (!isEntered) {
      committed.ifPresent(its -> ledger.confirm(its, entry));
    }
    return committed;
  }

  /**
   * Discards it; the live generation does not change.
   *
   * @return false if it was already committed or aborted, another run has the claim of the source,
   *     or another filter has taken the name of a new one; what is left then expires
   */
  public boolean abort() {
    return abort(Optional.empty());
  }

  /** Discards it as {@link #abort()}, and ends the run that loaded it in the same step. */
  boolean abort(Optional<EndedRun> ended) {
    isEnded = true;
    try {
      var isAborted = discard(ended);
      giveShareBack(isAborted);
      return isAborted;
    } finally {
      live.forget(name());
    }
  }

  private boolean discard(Optional<EndedRun> ended) {
    try {
      for (var attempts = new Attempts(live, name()); ; ) {
        attempts.count();
        var reply =
            store.abort(name(), liveVersion(), ContentId.newId(), incarnation(), true, run, ended);
        if (reply instanceof ChangeReply.Done done) {
          done.dropped().ifPresent(dropped -> changes.dropUnnoted(name(), dropped));
          LOG.infof("Aborted the rebuild of filter %s", name());
          return true;
        } else if (isOfAnother(reply)) {
          return false;
        }
        // Fails unless another attempt may succeed.
        changes.isDone(name(), reply);
      }
    } catch (BloomException failure) {
      if (failure.code() == ErrorCode.REBUILD_NOT_FOUND
          || failure.code() == ErrorCode.FILTER_NOT_FOUND) {
        return false;
      }
      throw failure;
    }
  }

  private static boolean isOfAnother(ChangeReply reply) {
    return isNameTaken(reply) || reply.equals(new ChangeReply.Refused(Refusal.RUN_LOST));
  }

  /** Whether another filter has the name of a new one, or had it until its deletion was cut off. */
  private static boolean isNameTaken(ChangeReply reply) {
    return reply.equals(new ChangeReply.Refused(Refusal.EXISTS));
  }

  /**
   * Aborts it unless it was committed or aborted. Never fails; if Redis is unavailable, it retries
   * in the background.
   */
  @Override
  public void close() {
    if (!isEnded) {
      try {
        abort();
      } catch (RuntimeException failure) {
        abortLater();
      }
    }
  }

  private void abortLater() {
    Uni.createFrom()
        .item(this::abort)
        .runSubscriptionOn(OwnContext.workers())
        .onFailure()
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .atMost(CLOSE_ATTEMPTS)
        .subscribe()
        .with(
            aborted -> {},
            failure ->
                LOG.warnf(
                    "The rebuild of filter %s stays open until it expires: %s",
                    name(), failure.getMessage()));
  }
}
