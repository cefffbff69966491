package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.Agenda.Due;
import io.github.bloomgate.store.ClaimReply.Claimed;
import io.github.bloomgate.store.ClaimReply.Refused;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.When;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;

/**
 * Rebuilds filters from their sources, on schedule or on request. Only one instance runs a source
 * at a time; if it dies or loses Redis, another one reads the source again and continues the
 * rebuild. A failed run does not change the filter.
 */
@ApplicationScoped
@Startup
public class SourceRuns {

  private static final Logger LOG = Logger.getLogger(SourceRuns.class);

  private static final int MOST_LISTED = 100;

  /** Each source that is checked takes four calls. */
  private static final int MOST_CHECKED = 50;

  private final SourceService sources;
  private final SourceStore store;
  private final Agenda agenda;
  private final RunWatch watch;

  /** Filters with due sources that this instance cannot read. */
  private final Set<FilterName> unreadable = new HashSet<>();

  /** The position in the agenda from which to check times. */
  private int checked;

  SourceRuns(SourceService sources, SourceStore store, Agenda agenda, RunWatch watch) {
    this.sources = sources;
    this.store = store;
    this.agenda = agenda;
    this.watch = watch;
  }

  /**
   * Starts to rebuild a filter from its source. If this instance dies afterwards, another one
   * continues the run.
   *
   * @return the run, which completes when the new content is live, or with its failure
   * @throws BloomException FILTER_NOT_FOUND, SOURCE_NOT_FOUND, REBUILD_IN_PROGRESS if a run of the
   *     source is in progress; RUN_INTERRUPTED if this instance stops
   */
  public CompletableFuture<Void> start(FilterName name) {
    watch.requireMayStart(name);
    // Before the claim, because another instance may be able to read it.
    var unused = sources.find(name);
    var id = UUID.randomUUID().toString();
    agenda.enter(name, sources.now(name).plus(SourceStore.LEASE));
    if (store.claim(name, id, When.NOW) instanceof Claimed claimed) {
      return watch.start(new SourceRun(store, name, id, claimed));
    }
    throw RebuildErrors.runInProgress(name);
  }

  @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  void look() {
    try {
      startDue();
    } catch (RuntimeException failure) {
      LOG.debugf("Could not look for due sources: %s", failure.getMessage());
    }
  }

  /** Starts due runs that no other instance has started, as long as threads are free. */
  public synchronized void startDue() {
    // Those that cannot be read stay at the beginning.
    var due = agenda.due(MOST_LISTED + unreadable.size());
    unreadable.retainAll(due.stream().map(Due::name).toList());
    for (var entry : due) {
      try {
        var status = sources.status(entry.name());
        unreadable.remove(entry.name());
        if (watch.isFree()) {
          agenda.putOff(entry, status.isEmpty() ? Optional.empty() : start(entry));
        } else if (status.filter(found -> found.run().isEmpty()).isPresent()) {
          watch.noteAwaited(true);
          return;
        }
      } catch (BloomException failure) {
        pass(entry, failure);
      }
    }
    watch.noteAwaited(false);
  }

  /** Starts a run if it is due; returns when to check again. */
  private Optional<Instant> start(Due entry) {
    var name = entry.name();
    var id = UUID.randomUUID().toString();
    var reply = store.claim(name, id, When.DUE);
    if (reply instanceof Refused refused) {
      return refused.until();
    }
    var claimed = (Claimed) reply;
    var unused = watch.start(new SourceRun(store, name, id, claimed));
    return Optional.of(claimed.now().plus(SourceStore.LEASE));
  }

  /** Goes on with other sources. */
  private void pass(Due entry, BloomException failure) {
    switch (failure.code()) {
      case FILTER_NOT_FOUND, SOURCE_NOT_FOUND -> agenda.putOff(entry, Optional.empty());
      case FILTER_DAMAGED, WRONG_KEY_TYPE -> {
        // It stays due, for instances that can read it.
        if (unreadable.add(entry.name())) {
          LOG.warnf(
              "This instance cannot run the source of filter %s: %s",
              entry.name(), failure.getMessage());
        }
      }
      default ->
          // On a cluster, a node may be down.
          LOG.debugf("Could not start the source of %s: %s", entry.name(), failure.getMessage());
    }
  }

  @Scheduled(every = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  void lookAtTimes() {
    try {
      checkTimes();
    } catch (RuntimeException failure) {
      LOG.debugf("Could not check the times of sources: %s", failure.getMessage());
    }
  }

  /**
   * Corrects times that are too late, because the clock of Redis was ahead when they were computed.
   * Each call checks some sources.
   */
  public synchronized void checkTimes() {
    var some = agenda.from(checked, MOST_CHECKED);
    checked = some.size() < MOST_CHECKED ? 0 : checked + MOST_CHECKED;
    for (var entry : some) {
      try {
        sources
            .status(entry.name())
            .flatMap(status -> sources.latestLook(entry.name(), status))
            .filter(latest -> latest.toEpochMilli() < entry.time())
            .ifPresent(latest -> agenda.enter(entry.name(), latest));
      } catch (BloomException failure) {
        LOG.debugf("Could not check the source of %s: %s", entry.name(), failure.getMessage());
      }
    }
  }
}
