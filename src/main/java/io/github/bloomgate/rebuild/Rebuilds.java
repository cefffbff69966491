package io.github.bloomgate.rebuild;

import io.github.bloomgate.elements.ElementCalls;
import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.Changed;
import io.github.bloomgate.filters.Changes;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.FilterStates;
import io.github.bloomgate.filters.FoundFilter;
import io.github.bloomgate.filters.Ledger;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.AdoptedKey;
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
import io.github.bloomgate.rebuild.Rebuild.NewName;
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

  final LiveFilters live;
  final ElementCalls elements;
  final RebuildStore store;
  final Changes changes;
  final Ledger ledger;
  final RunPlaces runs;

  public Rebuilds(
      LiveFilters live,
      FilterStates states,
      MemoryLeft memory,
      Clock clock,
      ElementCalls elements,
      RebuildStore store,
      Changes changes,
      Ledger ledger,
      RunPlaces runs) {
    this.live = live;
    this.states = states;
    this.memory = memory;
    this.clock = clock;
    this.elements = elements;
    this.store = store;
    this.changes = changes;
    this.ledger = ledger;
    this.runs = runs;
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

  /** Opens a rebuild for a run of the filter's source, which alone can commit it. */
  Rebuild openFor(FilterName name, Duration idleTimeout, String run) {
    return openLike(name, now -> FilterPlan.of(now.rebuildParameters()), idleTimeout, run);
  }

  /** Opens a rebuild with chosen layers. */
  Rebuild openLike(
      FilterName name, Function<Filter, FilterPlan> choice, Duration idleTimeout, String run) {
    for (var attempts = live.attempts(name); ; ) {
      var found = attempts.next();
      if (changes.endExpiredRebuild(found)) {
        continue;
      }
      var filter = found.live();
      var number = filter.generation() + 1;
      Filter next;
      try {
        var plan = checked(filter, choice.apply(filter));
        var owner = filter.state().owner();
        next = next(name, plan, filter.adoptedKey(), number, owner, idleTimeout, run);
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
   * @throws BloomException INVALID_REQUEST if only one of both has a window or counters, or if the
   *     shape of an adopted bitmap would change
   */
  private FilterPlan checked(Filter filter, FilterPlan plan) {
    if (filter.window().isPresent() && plan.parameters().window().isEmpty()) {
      throw unlike(filter, "has a window, but its replacement has none");
    }
    if (filter.isCounting() != plan.parameters().counting()) {
      throw unlike(
          filter,
          filter.isCounting()
              ? "counts its elements, but its replacement does not"
              : "does not count its elements, but its replacement does");
    }
    if (!filter.isAdopted()) {
      return plan;
    }
    var asked = plan.parameters();
    if (!asked.hasBitsOf(filter.parameters()) || asked.whenFull() == WhenFull.REJECT) {
      throw RequestErrors.invalid(
          "The filter '%s' keeps its bits under the Redis key %s, where other clients use them too, so its %s, or create a separate filter with other parameters."
              .formatted(
                  filter.name(),
                  filter.redisKey(),
                  asked.whenFull() == WhenFull.REJECT
                      ? "whenFull is always accept. Leave it out"
                      : "hashScheme, elementCodec, bitSize and numHashFunctions cannot change. Leave them unchanged"));
    }
    return FilterPlan.of(filter.parameters());
  }

  private static BloomException unlike(Filter filter, String difference) {
    return RequestErrors.invalid(
        "The filter '%s' %s. Nothing was changed. Choose another name, or delete the filter first."
            .formatted(filter.name(), difference));
  }

  /** Makes one attempt; empty if the filter changed. */
  private Optional<Rebuild> open(FoundFilter found, Filter next) {
    var name = next.name();
    live.forget(name);
    var entry = ledger.enlarge(found.live(), next.sizeBytes(), Ledger.NOTHING_MADE);
    var now = Optional.<FoundFilter>empty();
    try {
      var version = found.live().state().version();
      var reply = store.open(name, version, Changes.newId(), next.state());
      if (!changes.isDone(name, reply)) {
        return Optional.empty();
      }
      now = Optional.of(live.note(name, now(reply), true));
      LOG.infof("Opened a rebuild of filter %s", name);
      return Optional.of(opened(name, reply, Optional.empty()));
    } finally {
      ledger.settle(name, entry, now);
    }
  }

  private Rebuild opened(FilterName name, ChangeReply reply, Optional<NewName> ofNew) {
    var now = (FindReply.Found) now(reply);
    var next = now.next().orElseThrow();
    return new Rebuild(
        this,
        states.read(name, next),
        next.loading().orElseThrow().run().orElse(""),
        ofNew,
        Optional.of(Instant.ofEpochMilli(now.millis())),
        Optional.empty());
  }

  private static FindReply now(ChangeReply reply) {
    return ((ChangeReply.Done) reply).now().orElseThrow();
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
      return opened(name, reply, Optional.of(new NewName(quota, entry)));
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

  private Filter next(
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
  static Changed repeat(FilterName name, Supplier<Changed> work) {
    for (var attempt = 1; attempt <= Attempts.MAX; attempt++) {
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
    throw FilterErrors.changed(name);
  }

  /**
   * Continues an open rebuild.
   *
   * @param run the run that loads it, and alone can commit or abort it; empty for none
   */
  Rebuild goOn(Filter next, String run) {
    return goOn(next, run, Optional.empty());
  }

  private Rebuild goOn(Filter next, String run, Optional<FoundFilter> found) {
    return new Rebuild(this, next, run, Optional.empty(), Optional.empty(), found);
  }
}
