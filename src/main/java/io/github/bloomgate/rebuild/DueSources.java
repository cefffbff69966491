package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.SourceAgenda;
import io.github.bloomgate.store.SourceAgenda.Entry;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.Claim;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Looks every few seconds for sources that are due, and begins their runs. */
@ApplicationScoped
public class DueSources {

  private static final Logger LOG = Logger.getLogger(DueSources.class);

  /** What is wrong with a source's keys is looked at again after this time. */
  private static final Duration AFTER_DAMAGE = Duration.ofMinutes(5);

  private final SourceRuns runs;
  private final SourceStore sources;
  private final SourceAgenda agenda;

  public DueSources(SourceRuns runs, SourceStore sources, SourceAgenda agenda) {
    this.runs = runs;
    this.sources = sources;
    this.agenda = agenda;
  }

  @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  void look() {
    try {
      startDue();
    } catch (RuntimeException failure) {
      LOG.debugf("Could not look for due sources: %s", failure.getMessage());
    }
  }

  /**
   * Begins the runs that are due and that no other instance has begun, as far as threads are free.
   */
  public void startDue() {
    for (var entry : agenda.due()) {
      if (!runs.isFree()) {
        return;
      }
      agenda.reschedule(entry, start(entry));
    }
  }

  /** Begins a run if it is due; answers when to look again. */
  private Optional<Instant> start(Entry entry) {
    var name = entry.name();
    var run = UUID.randomUUID().toString();
    try {
      var claim = sources.claim(name, run, false);
      if (claim instanceof Claim.Claimed claimed) {
        runs.begin(name, run, claimed);
        return Optional.of(claimed.now().plus(SourceStore.LEASE));
      }
      return ((Claim.Nothing) claim).lookAgainAt();
    } catch (BloomException failure) {
      return switch (failure.code()) {
        case FILTER_NOT_FOUND, SOURCE_NOT_FOUND -> Optional.empty();
        case FILTER_DAMAGED, WRONG_KEY_TYPE -> {
          LOG.warnf("The source of filter %s cannot be used: %s", name, failure.getMessage());
          yield Optional.of(Instant.ofEpochMilli(entry.at()).plus(AFTER_DAMAGE));
        }
        default -> throw failure;
      };
    }
  }
}
