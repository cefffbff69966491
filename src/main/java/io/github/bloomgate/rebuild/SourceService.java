package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.SourceStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Sets and removes the sources of filters. All times are by the Redis clock. All methods block, and
 * fail with {@link BloomException}, including FILTER_NOT_FOUND, WRONG_KEY_TYPE and FILTER_DAMAGED.
 */
@ApplicationScoped
public class SourceService {

  private final SourceStore store;
  private final FilterStore filters;
  private final LiveFilters live;
  private final Agenda agenda;
  private final SourceOrigins origins;
  private final LeftRebuilds left;

  SourceService(
      SourceStore store,
      FilterStore filters,
      LiveFilters live,
      Agenda agenda,
      SourceOrigins origins,
      LeftRebuilds left) {
    this.store = store;
    this.filters = filters;
    this.live = live;
    this.agenda = agenda;
    this.origins = origins;
    this.left = left;
  }

  /**
   * Sets or replaces the source of a filter. A run of the old source ends without effect. Setting
   * the same source changes nothing, except that a time that is too late is corrected.
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
    if (isTooLate(status, next)) {
      store.reschedule(name, status.nextRunAt(), next);
      status = status(name).orElseThrow(() -> FilterErrors.changedSince(name));
    }
    left.abort(name);
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
    left.abort(name);
  }

  /**
   * The latest sensible time to check a source; empty if it is read only on request. Corrects the
   * time of its next run, which is too late if the clock of Redis was ahead when it was computed.
   */
  Optional<Instant> latestLook(FilterName name, SourceStatus status) {
    var now = now(name);
    if (status.run().isPresent()) {
      return Optional.of(now.plus(SourceStore.LEASE));
    }
    var next = status.source().schedule().next(now, now);
    if (!isTooLate(status, next)) {
      return status.nextRunAt();
    }
    store.reschedule(name, status.nextRunAt(), next);
    return next;
  }

  /**
   * Whether the next run is later than a schedule allows.
   *
   * @param next of a source that was set or read just now
   */
  private static boolean isTooLate(SourceStatus status, Optional<Instant> next) {
    return status.run().isEmpty()
        && next.isPresent()
        && status.nextRunAt().filter(at -> at.isAfter(next.get())).isPresent();
  }

  /** The Redis time; fails if the filter does not exist. */
  Instant now(FilterName name) {
    if (await(filters.find(name, false, List.of())) instanceof FindReply.Found found) {
      return Instant.ofEpochMilli(found.millis());
    }
    live.get(name);
    throw FilterErrors.notFound(name);
  }
}
