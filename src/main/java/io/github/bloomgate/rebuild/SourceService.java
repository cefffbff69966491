package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.ClaimReply;
import io.github.bloomgate.store.ClaimReply.Claimed;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.When;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sets and removes the sources of filters, and claims their runs for {@link SourceRuns}. All times
 * are by the Redis clock. All methods block, and fail with {@link BloomException}, including
 * FILTER_NOT_FOUND, WRONG_KEY_TYPE and FILTER_DAMAGED.
 */
@ApplicationScoped
public class SourceService {

  /** The time without renewal after which another run may take over a claim. */
  static final Duration LEASE = Duration.ofSeconds(60);

  /** Never has a claim. */
  private static final String NO_RUN = "none";

  private final SourceStore store;
  private final FilterStore filters;
  private final LiveFilters live;
  private final Agenda agenda;
  private final SourceOrigins origins;
  private final SourceRebuild rebuild;

  SourceService(
      SourceStore store,
      FilterStore filters,
      LiveFilters live,
      Agenda agenda,
      SourceOrigins origins,
      SourceRebuild rebuild) {
    this.store = store;
    this.filters = filters;
    this.live = live;
    this.agenda = agenda;
    this.origins = origins;
    this.rebuild = rebuild;
  }

  /**
   * Sets or replaces the source of a filter. A run of the old source ends without effect. Setting
   * the same source changes nothing.
   *
   * @throws BloomException INVALID_REQUEST if the configuration does not allow it; FILTER_CHANGED
   *     if another client removes the source immediately
   */
  public SourceStatus attach(FilterName name, Source source) {
    origins.requireAllowed(source.origin());
    var now = now(name);
    var next = source.schedule().next(now, now);
    next.ifPresent(at -> agenda.enter(name, at));
    store.attach(name, StoredJson.write(source), next);
    live.forget(name);
    next.ifPresent(at -> agenda.enter(name, at));
    var status = status(name).orElseThrow(() -> FilterErrors.changedSince(name));
    rebuild.abortLeftOver(name, NO_RUN);
    return status;
  }

  /**
   * The source of a filter and the state of its runs.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public SourceStatus find(FilterName name) {
    return status(name).orElseThrow(() -> RebuildErrors.sourceNotFound(name));
  }

  Optional<SourceStatus> status(FilterName name) {
    return await(
        live.find(name).chain(found -> store.find(name, found.live().state().hasSource())));
  }

  /**
   * Removes the source of a filter. A run of it ends without effect, and the content stays.
   *
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public void detach(FilterName name) {
    store.release(name);
    live.forget(name);
    rebuild.abortLeftOver(name, NO_RUN);
  }

  /** The Redis time; fails if the filter does not exist. */
  Instant now(FilterName name) {
    if (await(filters.find(name, false, List.of())) instanceof FindReply.Found found) {
      return Instant.ofEpochMilli(found.millis());
    }
    live.get(name);
    throw FilterErrors.notFound(name);
  }

  /**
   * A claimed run of a source.
   *
   * @param id the run
   * @param now when it was claimed
   * @param source the source before that, including a run that died
   * @param died the id of the run that died; empty for none
   */
  record Claim(FilterName name, String id, Instant now, SourceStatus source, String died) {}

  /** Claims the next run of a source for {@link #LEASE}; empty if another run has the claim. */
  Optional<Claim> claimNow(FilterName name, String run) {
    return store.claim(name, run, LEASE, When.NOW) instanceof Claimed claimed
        ? Optional.of(claim(name, run, claimed))
        : Optional.empty();
  }

  ClaimReply claimDue(FilterName name, String run) {
    return store.claim(name, run, LEASE, When.DUE);
  }

  static Claim claim(FilterName name, String run, Claimed claimed) {
    var before = claimed.before();
    return new Claim(
        name, run, claimed.now(), SourceStore.read(name, before), before.getOrDefault("run", ""));
  }

  /**
   * Renews the claim of a run.
   *
   * @param incarnation the generation it loads; empty before that is open
   * @return the Redis time; empty if the run has lost the claim
   */
  Optional<Instant> renew(FilterName name, String run, String incarnation) {
    return store.renew(name, run, LEASE, incarnation);
  }

  /** Records the result of a run; false if the run has lost the claim. */
  boolean ran(FilterName name, String run, LastRun outcome, Optional<Instant> next) {
    var fields = new HashMap<>(Map.of("lastRun", StoredJson.write(outcome)));
    if (outcome.failure().isEmpty()) {
      fields.put("elementsBefore", Long.toString(outcome.elements()));
    }
    return store.ran(name, run, next, fields);
  }
}
