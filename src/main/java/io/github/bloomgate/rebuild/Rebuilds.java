package io.github.bloomgate.rebuild;

import io.github.bloomgate.elements.ElementCalls;
import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.ChangeReplies;
import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.FilterStates;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.Ledger;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.FilterState.Loading;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.store.RebuildStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;

/** Opens rebuilds and finds open ones. All methods fail with {@link BloomException}. */
@ApplicationScoped
public class Rebuilds {

  private static final Logger LOG = Logger.getLogger(Rebuilds.class);

  private final FilterStates states;
  private final MemoryLeft memory;
  private final Clock clock;

  private final LiveFilters live;
  private final RebuildStore store;
  private final ChangeReplies changes;
  private final Ledger ledger;
  private final Rebuild.Parts parts;

  public Rebuilds(
      LiveFilters live,
      FilterStates states,
      MemoryLeft memory,
      Clock clock,
      ElementCalls elements,
      RebuildStore store,
      ChangeReplies changes,
      Ledger ledger) {
    this.live = live;
    this.states = states;
    this.memory = memory;
    this.clock = clock;
    this.store = store;
    this.changes = changes;
    this.ledger = ledger;
    this.parts = new Rebuild.Parts(live, elements, store, changes, ledger);
  }

  /**
   * Opens a rebuild of a filter, which may be damaged if its state is readable.
   *
   * @param choice chooses the parameters of the next generation from the filter's
   * @param idleTimeout the time without a load after which it expires
   * @throws BloomException FILTER_NOT_FOUND, REBUILD_IN_PROGRESS, STORE_FULL, LIMIT_EXCEEDED,
   *     FILTER_CHANGED; INVALID_REQUEST, SECRET_MISSING
   */
  public Rebuild open(
      FilterName name, UnaryOperator<FilterParameters> choice, Duration idleTimeout) {
    return openLike(
        name, now -> FilterPlan.of(choice.apply(now.rebuildParameters())), idleTimeout, "");
  }

  /**
   * Opens a rebuild for a run of the filter's source, which alone can commit it.
   *
   * @throws BloomException as {@link #open}; FILTER_CHANGED if the run has lost the claim
   */
  Rebuild openFor(FilterName name, Duration idleTimeout, String run) {
    return openLike(name, now -> FilterPlan.of(now.rebuildParameters()), idleTimeout, run);
  }

  /** Opens a rebuild with chosen layers. */
  Rebuild openLike(
      FilterName name, Function<Generation, FilterPlan> choice, Duration idleTimeout, String run) {
    for (var attempts = new Attempts(live, name); ; ) {
      var found = attempts.next();
      if (changes.endExpiredRebuild(found)) {
        continue;
      }
      var generation = found.live();
      var number = generation.number() + 1;
      Generation next;
      try {
        var plan = checked(generation, choice.apply(generation));
        var owner = generation.state().owner();
        next = next(name, plan, generation.adoptedKey(), number, owner, idleTimeout, run);
      } catch (BloomException refusal) {
        attempts.refuse(refusal);
        continue;
      }
      memory.require(name, next.plan().layers());
      var opened = open(found, next);
      if (opened.isPresent()) {
        return opened.get();
      }
    }
  }

  /**
   * Checks a plan for the next generation of a filter. An adopted bitmap cannot change its shape,
   * because clients of the library rely on it.
   *
   * @throws BloomException INVALID_REQUEST if its kind cannot replace the filter's, or if the shape
   *     of an adopted bitmap would change
   */
  private FilterPlan checked(Generation generation, FilterPlan plan) {
    var refusal = generation.kind().refusal(plan.parameters().kind());
    if (refusal.isPresent()) {
      throw RequestErrors.invalid(
          "The filter '%s' %s. Nothing was changed. Choose another name, or delete the filter first."
              .formatted(generation.name(), refusal.get()));
    }
    if (!generation.isAdopted()) {
      return plan;
    }
    var asked = plan.parameters();
    if (!asked.hashScheme().equals(generation.scheme())
        || !asked.shape().equals(generation.shape())
        || asked.whenFull() == WhenFull.REJECT) {
      throw RequestErrors.invalid(
          "The filter '%s' keeps its bits under the Redis key %s, where other clients use them too, so its %s, or create a separate filter with other parameters."
              .formatted(
                  generation.name(),
                  generation.redisKey(),
                  asked.whenFull() == WhenFull.REJECT
                      ? "whenFull is always accept. Leave it out"
                      : "hashScheme, elementCodec, bitSize and numHashFunctions cannot change. Leave them unchanged"));
    }
    return FilterPlan.of(generation.parameters());
  }

  /** Makes one attempt; empty if the filter changed. */
  private Optional<Rebuild> open(Filter found, Generation next) {
    var name = next.name();
    live.forget(name);
    var entry = ledger.enlarge(found.live(), next.sizeBytes(), Ledger.NOTHING_MADE);
    var now = Optional.<Filter>empty();
    try {
      var version = found.live().state().version();
      var reply = store.open(name, version, ContentId.newId(), next.state());
      if (!changes.isDone(name, reply)) {
        return Optional.empty();
      }
      var read = now(reply);
      now = Optional.of(live.note(name, read, true));
      LOG.infof("Opened a rebuild of filter %s", name);
      var opened = opened(name, read);
      var run = opened.loading().run().orElse("");
      return Optional.of(new Replacement(parts, opened, run, openedAt(read), Optional.empty()));
    } finally {
      ledger.settle(name, entry, now);
    }
  }

  private static FindReply.Found now(ChangeReply reply) {
    return (FindReply.Found) ((ChangeReply.Done) reply).now().orElseThrow();
  }

  private Generation opened(FilterName name, FindReply.Found read) {
    return states.read(name, read.next().orElseThrow());
  }

  private static Optional<Instant> openedAt(FindReply.Found read) {
    return Optional.of(Instant.ofEpochMilli(read.millis()));
  }

  /**
   * Opens a rebuild of a filter, or of a new filter if there is none.
   *
   * @throws BloomException FILTER_CHANGED if it is created or deleted at the same time
   */
  public Rebuild openOrNew(FilterName name, FilterPlan plan, Duration idleTimeout, Quota quota) {
    try {
      return openLike(name, now -> plan, idleTimeout, "");
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.FILTER_NOT_FOUND) {
        throw failure;
      }
    }
    try {
      return openNew(name, plan, idleTimeout, quota);
    } catch (BloomException failure) {
      throw failure.code() == ErrorCode.FILTER_EXISTS ? FilterErrors.changed(name) : failure;
    }
  }

  /**
   * Opens a rebuild that becomes a new filter and is invisible until the commit. The commit fails
   * if a filter with the name is created first.
   *
   * @throws BloomException FILTER_EXISTS, REBUILD_IN_PROGRESS, STORE_FULL, LIMIT_EXCEEDED;
   *     SECRET_MISSING, INVALID_REQUEST
   */
  public Rebuild openNew(FilterName name, FilterPlan plan, Duration idleTimeout, Quota quota) {
    var next = next(name, plan, Optional.empty(), 1, quota.owner(), idleTimeout, "");
    memory.require(name, plan.layers());
    var entry = ledger.enter(next, quota).orElseThrow(() -> FilterErrors.nameTaken(name));
    try {
      var reply = openNew(name, next.state());
      LOG.infof("Opened a rebuild that will become filter %s", name);
      var read = now(reply);
      return new Creation(parts, opened(name, read), openedAt(read), quota, entry);
    } catch (BloomException failure) {
      ledger.settle(name, Optional.of(entry), Optional.empty());
      throw failure;
    }
  }

  private ChangeReply openNew(FilterName name, FilterState next) {
    var reply = store.open(name, "", "", next);
    if (reply.equals(new ChangeReply.Refused(Refusal.EXISTS)) && changes.finishDeletion(name)) {
      reply = store.open(name, "", "", next);
    }
    if (reply instanceof ChangeReply.Done) {
      return reply;
    }
    throw reply.equals(new ChangeReply.Refused(Refusal.OPEN))
        ? RebuildErrors.inProgress(name)
        : FilterErrors.nameTaken(name);
  }

  private Generation next(
      FilterName name,
      FilterPlan plan,
      Optional<AdoptedKey> adopted,
      long number,
      String owner,
      Duration idleTimeout,
      String run) {
    var now = clock.instant();
    var expiresAt = Optional.of(now.plus(idleTimeout));
    var state =
        states
            .newState(name, plan, adopted, number, now, expiresAt, owner)
            .withLoading(
                new Loading(0, idleTimeout, Optional.of(run).filter(its -> !its.isEmpty())));
    return states.read(name, state);
  }

  /** The open rebuild; fails with REBUILD_NOT_FOUND if there is none or another one. */
  public Uni<Rebuild> find(FilterName name, Optional<String> incarnation) {
    return live.find(name)
        .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
        .transform(gone -> RebuildErrors.notFound(name))
        .map(
            found ->
                found
                    .next()
                    .filter(next -> incarnation.map(next.incarnation()::equals).orElse(true))
                    .map(next -> goOn(next, "", Optional.of(found)))
                    .orElseThrow(() -> RebuildErrors.notFound(name)));
  }

  /**
   * Opens, loads and commits a rebuild, again if one of its filters changes.
   *
   * @throws BloomException FILTER_CHANGED after the last attempt
   */
  ChangedFilter repeat(FilterName name, Supplier<ChangedFilter> work) {
    for (var attempts = new Attempts(live, name); ; ) {
      attempts.count();
      try {
        return work.get();
      } catch (BloomException failure) {
        // Deleting a filter ends its rebuild too.
        if (failure.code() != ErrorCode.FILTER_CHANGED
            && failure.code() != ErrorCode.REBUILD_NOT_FOUND) {
          throw failure;
        }
      }
    }
  }

  /**
   * Continues an open rebuild.
   *
   * @param run the run on whose behalf it is aborted, unless another run has the claim; empty for a
   *     client, which may always abort it
   */
  Rebuild goOn(Generation next, String run) {
    return goOn(next, run, Optional.empty());
  }

  private Rebuild goOn(Generation next, String run, Optional<Filter> found) {
    return new Replacement(parts, next, run, Optional.empty(), found);
  }
}
