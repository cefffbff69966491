package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.AddedElements;
import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.filters.Changed;
import io.github.bloomgate.filters.Changes;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.FoundFilter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.segment.Answer;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.Written;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * An open rebuild: a next generation that is loaded while the live one is in use, and replaces it
 * in one step. All methods fail with {@link BloomException}. All but {@link #load} block.
 */
public final class Rebuild implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Rebuild.class);

  private static final int MAX_ATTEMPTS = 5;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int CLOSE_ATTEMPTS = 10;

  private final Rebuilds rebuilds;
  private final Filter next;
  private final String run;
  private final Optional<Instant> openedAt;
  private final Optional<FoundFilter> lastRead;
  private volatile Filter current;
  private volatile Optional<NewName> ofNew;
  private volatile boolean isEnded;

  /** The quota and the reservation of a filter that does not exist yet. */
  record NewName(Quota quota, String entry) {}

  /**
   * @param ofNew empty beside a live generation
   * @param openedAt empty if it is continued
   * @param lastRead the filter, if it was just read
   */
  Rebuild(
      Rebuilds rebuilds,
      Filter next,
      String run,
      Optional<NewName> ofNew,
      Optional<Instant> openedAt,
      Optional<FoundFilter> lastRead) {
    this.rebuilds = rebuilds;
    this.next = next;
    this.current = next;
    this.run = run;
    this.ofNew = ofNew;
    this.openedAt = openedAt;
    this.lastRead = lastRead;
  }

  /** The next generation, as of when this was opened. */
  public Filter next() {
    return next;
  }

  /** When it was opened, by the Redis clock; not for one that is continued. */
  public Instant openedAt() {
    return openedAt.orElseThrow();
  }

  private FilterName name() {
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
  public Uni<Answers> load(List<byte[]> elements) {
    return rebuilds
        .elements
        .load(name(), incarnation(), elements)
        .call(
            request ->
                count(elements.size() - request.live().count(Answer.REFUSED), Written.NONE, 1))
        .invoke(AddedElements::requireAll)
        .map(request -> request.answers(Answer.CHANGED));
  }

  /** Extends the expiry of the rebuild, and counts elements that were loaded. */
  public void count(long elements) {
    await(count(elements, Written.NONE, 1));
  }

  private Uni<Void> count(long elements, Written renewed, int attempt) {
    return rebuilds
        .store
        .loaded(current.stored(), elements, renewed)
        .chain(
            reply -> {
              if (reply instanceof ChangeReply.Done) {
                return Uni.createFrom().voidItem();
              } else if (attempt == MAX_ATTEMPTS) {
                return Uni.createFrom().failure(FilterErrors.changed(name()));
              } else if (reply instanceof ChangeReply.OtherSegments others) {
                return count(elements, others.written(), attempt + 1);
              } else if (reply instanceof ChangeReply.Refused refused
                  && refused.refusal() == Refusal.CHANGED) {
                // It has a new layer, which happens a few dozen times at most.
                return reread().chain(() -> count(elements, renewed, attempt));
              }
              return Uni.createFrom().failure(RebuildErrors.notFound(name()));
            });
  }

  private Uni<Void> reread() {
    return rebuilds
        .live
        .find(name())
        .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
        .transform(gone -> RebuildErrors.notFound(name()))
        .invoke(found -> current = mine(found))
        .replaceWithVoid();
  }

  private Filter mine(FoundFilter found) {
    return found
        .next()
        .filter(some -> some.content().equals(next.content()))
        .orElseThrow(() -> RebuildErrors.notFound(name()));
  }

  /** The current generation, for {@link io.github.bloomgate.elements.WholeSegments}. */
  Filter view() {
    if (ofNew.isPresent()) {
      return current;
    }
    try {
      return mine(rebuilds.live.get(name()));
    } catch (BloomException failure) {
      throw orRebuildNotFound(failure);
    }
  }

  /**
   * Replaces the live generation in one step, and returns the filter. After a failure other than
   * STORE_OUTCOME_UNKNOWN, it was not replaced.
   *
   * @param minElements the least number of loaded elements; 0 accepts an empty generation
   * @param expiry the new expiry of the filter
   * @throws BloomException REBUILD_NOT_FOUND, REBUILD_EMPTY, REBUILD_TOO_SMALL; REBUILD_IN_PROGRESS
   *     if only a run of the source knows when it is complete; FILTER_DAMAGED if part of the next
   *     generation is missing; LIMIT_EXCEEDED for a new filter
   */
  public Changed commit(long minElements, NewExpiry expiry) {
    Changed committed;
    try {
      committed =
          ofNew.isEmpty() ? replace(minElements, expiry) : create(ofNew.get().quota(), expiry);
    } catch (BloomException failure) {
      rebuilds.live.forget(name());
      throw orRebuildNotFound(failure);
    }
    isEnded = true;
    LOG.infof("Committed the rebuild of filter %s", name());
    return committed;
  }

  /** Deleting the filter ends the rebuild too. */
  private BloomException orRebuildNotFound(BloomException failure) {
    return ErrorCode.FILTER_NOT_FOUND.isOf(failure) ? RebuildErrors.notFound(name()) : failure;
  }

  private Changed replace(long minElements, NewExpiry expiry) {
    var attempts = rebuilds.live.attempts(name());
    for (var known = lastRead; ; known = Optional.empty()) {
      var found = known.orElseGet(attempts::next);
      var mine = mine(found);
      if (run.isEmpty() && mine.loading().run().isPresent()) {
        throw RebuildErrors.runInProgress(name());
      }
      if (mine.loading().received() < minElements) {
        throw RebuildErrors.tooFew(name(), mine.loading().received(), minElements);
      }
      var committed = commit(Optional.of(found.live()), mine, expiry);
      if (committed.isPresent()) {
        return committed.get();
      }
    }
  }

  private Changed create(Quota quota, NewExpiry expiry) {
    // Loading may take longer than a reservation lasts, and its share may be another filter's now.
    var entry = rebuilds.ledger.enter(next, quota);
    ofNew =
        Optional.of(new NewName(quota, entry.orElseThrow(() -> RebuildErrors.notFound(name()))));
    for (var attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      var committed = commit(Optional.empty(), current, expiry);
      if (committed.isPresent()) {
        return committed.get();
      }
    }
    throw FilterErrors.changed(name());
  }

  /** Makes one attempt; empty if the filter changed or another segment was written. */
  private Optional<Changed> commit(Optional<Filter> live, Filter loaded, NewExpiry expiry) {
    var bytes = live.map(Filter::sizeBytes);
    var isEntered = expiry.isKept() && bytes.equals(Optional.of(loaded.sizeBytes()));
    var entry = ofNew.map(NewName::entry).or(() -> rebuilds.ledger.remembered(name()));
    var reply =
        rebuilds.store.commit(
            name(),
            live.map(Filter::state),
            Changes.newId(),
            loaded.state(),
            loaded.asked(),
            run,
            expiry,
            live.flatMap(Filter::adoptedBitmap));
    if (reply instanceof ChangeReply.OtherSegments others) {
      current = loaded.withWritten(others.written());
    } else if (isNameTaken(reply)) {
      throw RebuildErrors.notFound(name());
    }
    var committed = rebuilds.changes.changed(name(), reply);
    if (!isEntered) {
      committed.ifPresent(its -> rebuilds.ledger.confirm(its, entry));
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
    isEnded = true;
    try {
      var isAborted = discard();
      giveShareBack(isAborted);
      return isAborted;
    } finally {
      rebuilds.live.forget(name());
    }
  }

  private boolean discard() {
    try {
      for (var attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        var reply =
            rebuilds.store.abort(name(), liveVersion(), Changes.newId(), incarnation(), true, run);
        if (reply instanceof ChangeReply.Done done) {
          done.dropped().ifPresent(dropped -> rebuilds.changes.dropUnnoted(name(), dropped));
          LOG.infof("Aborted the rebuild of filter %s", name());
          return true;
        } else if (isOfAnother(reply)) {
          return false;
        }
        // Fails unless another attempt may succeed.
        rebuilds.changes.isDone(name(), reply);
      }
      throw FilterErrors.changed(name());
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

  /** Whether another filter has, or until its deletion was cut off had, the name of a new one. */
  private static boolean isNameTaken(ChangeReply reply) {
    return reply.equals(new ChangeReply.Refused(Refusal.EXISTS));
  }

  /** What a larger generation, or a new filter, would have taken no longer counts. */
  private void giveShareBack(boolean isAborted) {
    if (ofNew.isPresent()) {
      // Even if another filter has taken the name: it would count for the wrong owner.
      rebuilds.ledger.settle(name(), Optional.of(ofNew.get().entry()), Optional.empty());
    } else if (isAborted) {
      rebuilds.ledger.confirm(name());
    }
  }

  private String liveVersion() {
    if (ofNew.isPresent()) {
      return "";
    }
    var found = rebuilds.live.get(name());
    mine(found);
    return found.live().state().version();
  }

  /**
   * Aborts it unless it was committed or aborted, or its run was stopped, because the next run
   * continues it. Never fails; if Redis is unavailable, it retries in the background.
   */
  @Override
  public void close() {
    var isStoppedRun = !run.isEmpty() && rebuilds.runs.isStopped();
    if (!isEnded && !isStoppedRun) {
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
