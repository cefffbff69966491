package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.Agenda.Due;
import io.github.bloomgate.store.ClaimReply;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Checks for due sources every few seconds and starts their runs. */
@ApplicationScoped
public class DueSources {

  private static final Logger LOG = Logger.getLogger(DueSources.class);

  private static final int MOST_LISTED = 100;

  /** The pause after damaged keys of a source. */
  private static final Duration AFTER_DAMAGE = Duration.ofMinutes(5);

  private final SourceRuns runs;
  private final SourceService sources;
  private final Agenda agenda;
  private final RunPlaces places;

  DueSources(SourceRuns runs, SourceService sources, Agenda agenda, RunPlaces places) {
    this.runs = runs;
    this.sources = sources;
    this.agenda = agenda;
    this.places = places;
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
  public void startDue() {
    for (var entry : agenda.due(MOST_LISTED)) {
      if (!places.isFree()) {
        if (waits(entry)) {
          places.noteAwaited();
          return;
        }
        continue;
      }
      try {
        agenda.putOff(entry, start(entry));
      } catch (BloomException failure) {
        // On a cluster, the nodes of other sources may serve.
        LOG.debugf("Could not start the source of %s: %s", entry.name(), failure.getMessage());
      }
    }
  }

  /** Running sources stay listed too. */
  private boolean waits(Due entry) {
    return sources.status(entry.name()).filter(found -> found.run().isEmpty()).isPresent();
  }

  /** Starts a run if it is due; returns when to check again. */
  private Optional<Instant> start(Due entry) {
    var name = entry.name();
    var run = UUID.randomUUID().toString();
    try {
      var reply = sources.claimDue(name, run);
      if (reply instanceof ClaimReply.Running running) {
        return Optional.of(running.until());
      } else if (reply instanceof ClaimReply.NotDue notDue) {
        return notDue.at();
      }
      var claim = SourceService.claim(name, run, (ClaimReply.Claimed) reply);
      runs.begin(claim);
      return Optional.of(claim.now().plus(SourceService.LEASE));
    } catch (BloomException failure) {
      return switch (failure.code()) {
        case FILTER_NOT_FOUND, SOURCE_NOT_FOUND -> Optional.empty();
        case FILTER_DAMAGED, WRONG_KEY_TYPE -> {
          LOG.warnf("The source of filter %s cannot be used: %s", name, failure.getMessage());
          yield Optional.of(Instant.ofEpochMilli(entry.time()).plus(AFTER_DAMAGE));
        }
        default -> throw failure;
      };
    }
  }
}
