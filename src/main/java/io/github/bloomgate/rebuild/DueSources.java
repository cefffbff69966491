package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.SourceAgenda;
import io.github.bloomgate.store.SourceAgenda.Entry;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.Claim;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
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
  Uni<Void> look() {
    return startDue()
        .onFailure()
        .invoke(failure -> LOG.debugf("Could not look for due sources: %s", failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }

  /**
   * Begins the runs that are due and that no other instance has begun, as far as threads are free.
   */
  public Uni<Void> startDue() {
    return agenda
        .due()
        .onItem()
        .transformToMulti(Multi.createFrom()::iterable)
        .onItem()
        .transformToUniAndConcatenate(this::startDue)
        .onItem()
        .ignoreAsUni();
  }

  private Uni<Void> startDue(Entry entry) {
    if (!runs.isFree()) {
      return Uni.createFrom().voidItem();
    }
    var name = entry.name();
    var run = UUID.randomUUID().toString();
    return sources
        .claim(name, run, false)
        .map(
            claim -> {
              if (claim instanceof Claim.Claimed claimed) {
                runs.begin(name, run, claimed);
                return Optional.of(claimed.now().plus(SourceStore.LEASE));
              }
              return ((Claim.Nothing) claim).lookAgainAt();
            })
        .onFailure(DueSources::isGone)
        .recoverWithItem(Optional::empty)
        .onFailure(DueSources::isDamage)
        .recoverWithItem(
            failure -> {
              LOG.warnf("The source of filter %s cannot be used: %s", name, failure.getMessage());
              return Optional.of(Instant.ofEpochMilli(entry.at()).plus(AFTER_DAMAGE));
            })
        .chain(next -> agenda.reschedule(entry, next));
  }

  private static boolean isGone(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_NOT_FOUND
            || error.code() == ErrorCode.SOURCE_NOT_FOUND);
  }

  private static boolean isDamage(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED || error.code() == ErrorCode.WRONG_KEY_TYPE);
  }
}
