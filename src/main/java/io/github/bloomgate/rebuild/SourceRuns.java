package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.SourceAgenda;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.SourceStore.Claim;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Rebuilds filters from their sources: when they are due, or when asked to. Of several instances of
 * the service one does it at a time, and when it dies another begins again. A run that fails leaves
 * the filter as it is.
 */
@ApplicationScoped
@Startup
public class SourceRuns {

  private static final Logger LOG = Logger.getLogger(SourceRuns.class);

  /** A run that ends its instance each time must not end them all for ever. */
  private static final int MAX_ATTEMPTS = 5;

  private final SourceRebuild rebuild;
  private final SourceStore sources;
  private final SourceAgenda agenda;
  private final BloomgateConfig.Sources settings;
  private final RunMeters meters;
  private final ExecutorService workers;
  private final ScheduledExecutorService timer;
  private final AtomicInteger running = new AtomicInteger();
  private volatile boolean stopping;

  @Inject
  SourceRuns(
      SourceRebuild rebuild,
      SourceStore sources,
      SourceAgenda agenda,
      BloomgateConfig config,
      MeterRegistry registry) {
    this(rebuild, sources, agenda, config.sources(), registry);
  }

  public SourceRuns(
      SourceRebuild rebuild,
      SourceStore sources,
      SourceAgenda agenda,
      BloomgateConfig.Sources settings,
      MeterRegistry registry) {
    this.rebuild = rebuild;
    this.sources = sources;
    this.agenda = agenda;
    this.settings = settings;
    this.meters = new RunMeters(registry);
    this.workers = Executors.newFixedThreadPool(settings.maxConcurrent(), SourceRuns::thread);
    this.timer = Executors.newSingleThreadScheduledExecutor(SourceRuns::thread);
  }

  private static Thread thread(Runnable work) {
    var thread = new Thread(work, "source-run");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Begins to rebuild a filter from its source now. When this is done, the run is on its way; if
   * this instance dies, another one begins it again.
   *
   * @return the run, which is done when the filter holds what was read, and fails with why it
   *     failed
   * @throws BloomException FILTER_NOT_FOUND, SOURCE_NOT_FOUND, REBUILD_IN_PROGRESS if a run of the
   *     source is on its way
   */
  public CompletableFuture<Void> start(FilterName name) {
    var run = UUID.randomUUID().toString();
    agenda.enter(name, await(sources.find(name)).now().plus(SourceStore.LEASE));
    if (sources.claim(name, run, true) instanceof Claim.Claimed claimed) {
      return submit(name, run, claimed);
    }
    throw RebuildErrors.runInProgress(name);
  }

  /**
   * Begins a run that was claimed. It goes on when the caller does.
   *
   * @param run the id with which it was claimed
   */
  void begin(FilterName name, String run, Claim.Claimed claim) {
    var unused = submit(name, run, claim);
  }

  /** Whether a thread is free for another run. */
  boolean isFree() {
    return !stopping && running.get() < settings.maxConcurrent();
  }

  private CompletableFuture<Void> submit(FilterName name, String run, Claim.Claimed claim) {
    running.incrementAndGet();
    var watch =
        new RunWatch(timer, sources, name, run, settings.idleTimeout(), settings.runTimeout());
    return CompletableFuture.runAsync(
            () -> {
              try (watch) {
                perform(name, run, claim, watch);
              }
            },
            workers)
        .whenComplete((done, failure) -> running.decrementAndGet());
  }

  private void perform(FilterName name, String run, Claim.Claimed claim, RunWatch watch) {
    var source = claim.source().source();
    var died = claim.source().run();
    var patience = settings.idleTimeout().plus(SourceStore.LEASE);
    var minElements = source.minElements(claim.source().elementsBefore());
    var begun = System.nanoTime();
    Optional<BloomException> failure = Optional.empty();
    try {
      requireAnotherAttempt(died);
      died.flatMap(SourceStatus.Run::rebuild).ifPresent(last -> rebuild.abort(name, last));
      rebuild.execute(name, source.origin(), minElements, watch, patience);
    } catch (RuntimeException thrown) {
      var reason = reason(name, thrown);
      // The rebuild of the run that died may be unknown; its patience ends as this claim does.
      if (stopping || (died.isPresent() && reason.code() == ErrorCode.REBUILD_IN_PROGRESS)) {
        throw reason;
      }
      failure = Optional.of(reason);
    }
    finish(name, run, claim, watch.elements(), begun, failure);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private static void requireAnotherAttempt(Optional<SourceStatus.Run> died) {
    died.ifPresent(
        last -> {
          if (last.attempt() >= MAX_ATTEMPTS) {
            throw RebuildErrors.runCutOff(last.attempt());
          }
        });
  }

  private BloomException reason(FilterName name, RuntimeException failure) {
    if (failure instanceof BloomException reason) {
      return reason;
    }
    if (!stopping) {
      LOG.errorf(failure, "The rebuild of filter %s from its source failed", name);
    }
    return RequestErrors.internal("The service failed; its log tells more.", failure);
  }

  private void finish(
      FilterName name,
      String run,
      Claim.Claimed claim,
      long elements,
      long begun,
      Optional<BloomException> failure) {
    var time = Duration.ofNanos(System.nanoTime() - begun);
    meters.ran(failure.isEmpty(), time, elements);
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
      record(name, run, claim, elements, failure);
    } catch (BloomException unrecorded) {
      // Redis is away. The claim ends by itself, and the run is done again.
      LOG.warnf(
          "The outcome for filter %s could not be recorded: %s", name, unrecorded.getMessage());
    }
  }

  private void record(
      FilterName name,
      String run,
      Claim.Claimed claim,
      long elements,
      Optional<BloomException> failure) {
    var now = sources.renew(name, run, Optional.empty());
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
    if (sources.ran(name, run, outcome, next) && next.isPresent()) {
      agenda.enter(name, next.get());
    }
  }

  /** Before the link to Redis is closed, so that runs end as stopped and not as failed. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    close();
  }

  /** Stops the runs; another instance, or this one after its next start, begins them again. */
  @PreDestroy
  public void close() {
    stopping = true;
    workers.shutdownNow();
    timer.shutdownNow();
  }
}
