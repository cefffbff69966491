package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.Agenda.Due;
import io.github.bloomgate.store.ClaimReply.Claimed;
import io.github.bloomgate.store.ClaimReply.Refused;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.When;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jboss.logging.Logger;

/**
 * Rebuilds filters from their sources, on schedule or on request. Only one instance runs a source
 * at a time; if it dies, another one reads the source again. A failed run does not change the
 * filter.
 */
@ApplicationScoped
@Startup
public class SourceRuns {

  private static final Logger LOG = Logger.getLogger(SourceRuns.class);

  /** A run that kills its instance each time must stop at some point. */
  private static final int MAX_ATTEMPTS = 5;

  private static final int MOST_LISTED = 100;

  /** The pause after damaged keys of a source. */
  private static final Duration AFTER_DAMAGE = Duration.ofMinutes(5);

  private final SourceRebuild rebuild;
  private final SourceService sources;
  private final SourceStore store;
  private final Agenda agenda;
  private final BloomgateConfig.Sources settings;
  private final Timer done;
  private final Timer failed;
  private final Counter elementsRead;
  private final ExecutorService workers;
  private final ScheduledExecutorService timer;
  private final RunPlaces places;

  SourceRuns(
      SourceRebuild rebuild,
      SourceService sources,
      SourceStore store,
      Agenda agenda,
      RunPlaces places,
      BloomgateConfig config,
      MeterRegistry registry) {
    this.rebuild = rebuild;
    this.sources = sources;
    this.store = store;
    this.agenda = agenda;
    this.settings = config.sources();
    this.done = timer(registry, "ok");
    this.failed = timer(registry, "failed");
    this.elementsRead =
        Counter.builder("bloom.source.elements")
            .description("Number of elements read from sources.")
            .register(registry);
    this.places = places;
    this.workers = Executors.newFixedThreadPool(settings.maxConcurrent(), SourceRuns::thread);
    this.timer = Executors.newSingleThreadScheduledExecutor(SourceRuns::thread);
  }

  private static Timer timer(MeterRegistry registry, String result) {
    return Timer.builder("bloom.source.run")
        .description("Duration of rebuilds from sources, in seconds.")
        .tag("result", result)
        .register(registry);
  }

  private static Thread thread(Runnable work) {
    var thread = new Thread(work, "source-run");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts to rebuild a filter from its source. If this instance dies afterwards, another one
   * restarts the run.
   *
   * @return the run, which completes when the new content is live, or with its failure
   * @throws BloomException FILTER_NOT_FOUND, SOURCE_NOT_FOUND, REBUILD_IN_PROGRESS if a run of the
   *     source is in progress
   */
  public CompletableFuture<Void> start(FilterName name) {
    var run = UUID.randomUUID().toString();
    agenda.enter(name, sources.now(name).plus(SourceStore.LEASE));
    if (store.claim(name, run, When.NOW) instanceof Claimed claimed) {
      return submit(Claim.of(name, run, claimed));
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
  public void startDue() {
    for (var entry : agenda.due(MOST_LISTED)) {
      try {
        if (places.isFree()) {
          agenda.putOff(entry, start(entry));
        } else if (waits(entry)) {
          places.noteAwaited();
          return;
        }
      } catch (BloomException failure) {
        // Its filter may be gone, or on a cluster its node, but not those of other sources.
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
      var reply = store.claim(name, run, When.DUE);
      if (reply instanceof Refused refused) {
        return refused.until();
      }
      var claim = Claim.of(name, run, (Claimed) reply);
      var unused = submit(claim);
      return Optional.of(claim.now().plus(SourceStore.LEASE));
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

  private CompletableFuture<Void> submit(Claim claim) {
    places.enter();
    var watch = new RunWatch(timer, store, claim, settings, places);
    return CompletableFuture.runAsync(
            () -> {
              try (watch) {
                perform(claim, watch);
              }
            },
            workers)
        .whenComplete((end, failure) -> places.leave());
  }

  private void perform(Claim claim, RunWatch watch) {
    var idleTimeout = settings.idleTimeout().plus(SourceStore.LEASE);
    Optional<BloomException> failure = Optional.empty();
    watch.begin();
    try {
      requireAnotherAttempt(claim);
      rebuild.execute(claim, watch, idleTimeout);
    } catch (RuntimeException thrown) {
      var reason = reason(claim.name(), thrown);
      if (places.isStopped()) {
        throw reason;
      }
      failure = Optional.of(reason);
    }
    finish(claim, watch, failure);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private void requireAnotherAttempt(Claim claim) {
    var attempts = claim.source().run().map(SourceStatus.Run::attempt).orElse(0);
    if (attempts >= MAX_ATTEMPTS) {
      rebuild.abortLeftOver(claim.name(), claim.id());
      throw BloomException.of(
          ErrorCode.INTERNAL,
          "The run was interrupted %d times, each time because its instance stopped. Check the logs of the instances."
              .formatted(attempts));
    }
  }

  private BloomException reason(FilterName name, RuntimeException failure) {
    if (failure instanceof BloomException reason) {
      return reason;
    }
    if (!places.isStopped()) {
      LOG.errorf(failure, "The rebuild of filter %s from its source failed", name);
    }
    return RequestErrors.internal("The service failed; see its log.", failure);
  }

  private void finish(Claim claim, RunWatch watch, Optional<BloomException> failure) {
    var name = claim.name();
    var elements = watch.elements();
    var time = watch.time();
    (failure.isEmpty() ? done : failed).record(time);
    elementsRead.increment((double) elements);
    failure.ifPresentOrElse(
        reason ->
            LOG.warnf(
                "The rebuild of filter %s from its source failed with %s: %s",
                name, reason.code(), reason.getMessage()),
        () ->
            LOG.infof(
                "Rebuilt filter %s from its source: %d elements in %d ms",
                name, elements, time.toMillis()));
    try {
      record(claim, elements, failure);
    } catch (BloomException unrecorded) {
      // Redis is unavailable. The claim expires, and the run is repeated.
      LOG.warnf(
          "The outcome for filter %s could not be recorded: %s", name, unrecorded.getMessage());
    }
  }

  private void record(Claim claim, long elements, Optional<BloomException> failure) {
    var name = claim.name();
    var now = store.renew(name, claim.id(), "");
    if (now.isEmpty()) {
      return;
    }
    var next = claim.source().source().schedule().next(claim.now(), now.get());
    var outcome =
        new LastRun(
            claim.now(),
            now.get(),
            elements,
            failure.map(reason -> new LastRun.Failure(reason.code().name(), reason.getMessage())));
    if (store.ran(name, claim.id(), outcome, next) && next.isPresent()) {
      agenda.enter(name, next.get());
    }
  }

  /** Before the link to Redis is closed, so that runs count as stopped instead of failed. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    close();
  }

  /** Stops the runs; another instance, or this one after a restart, repeats them. */
  @PreDestroy
  public void close() {
    places.stop();
    workers.shutdownNow();
    timer.shutdownNow();
  }
}
