package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Performs the runs of one instance on slots with a thread each, and watches them: renews their
 * claims, and ends those that lost it, hang or take too long.
 *
 * <p>While other runs are waiting, a run with a slow source gives up its slot and continues in
 * addition to the others. The number of such runs is limited to the number of slots. Thread-safe.
 */
@Singleton
public class RunWatch {

  private static final long TICK_MILLIS = 500;

  /** How long runs may take to stop. A source that is being opened must be interrupted first. */
  private static final Duration TO_STOP = Duration.ofSeconds(2);

  private final SourceRebuild rebuild;
  private final BloomgateConfig.Sources settings;
  private final int slots;
  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService timer;

  /** Runs that have a slot, wait for one or have given it up. */
  private final Set<SourceRun> runs = new HashSet<>();

  /** Runs that have given up their slots and continue. */
  private final Set<SourceRun> aside = new HashSet<>();

  private boolean isEnding;
  private boolean isDueAwaited;
  private volatile boolean isStopped;

  RunWatch(SourceRebuild rebuild, BloomgateConfig config) {
    this.rebuild = rebuild;
    this.settings = config.sources();
    this.slots = settings.maxConcurrent();
    this.threads =
        new ThreadPoolExecutor(
            slots,
            2 * slots,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> daemon(work, "source-run"));
    this.timer = Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "source-watch"));
  }

  private static Thread daemon(Runnable work, String name) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Performs a run when a slot is free, and watches it from now on.
   *
   * @return the run, as of {@link SourceRebuild#perform}
   * @throws BloomException RUN_INTERRUPTED if this instance stops
   */
  synchronized CompletableFuture<Void> start(SourceRun run) {
    requireMayStart(run.name());
    runs.add(run);
    var looks =
        timer.scheduleWithFixedDelay(
            () -> look(run), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    return CompletableFuture.runAsync(
            () -> {
              try {
                rebuild.perform(run);
              } finally {
                looks.cancel(false);
                leave(run);
              }
            },
            threads)
        // A client that stops waiting cancels this copy only.
        .copy();
  }

  /**
   * Checks that runs may start.
   *
   * @throws BloomException RUN_INTERRUPTED if this instance stops
   */
  void requireMayStart(FilterName name) {
    if (isStopped) {
      throw RebuildErrors.runStopped(name);
    }
  }

  private synchronized void leave(SourceRun run) {
    runs.remove(run);
    isEnding = false;
    aside.remove(run);
    threads.setCorePoolSize(slots + aside.size());
  }

  /** Whether another run may start. */
  synchronized boolean isFree() {
    return !isStopped && runs.size() < slots + aside.size();
  }

  /** Records whether a due run has found no slot, so that slow runs make room. */
  synchronized void noteAwaited(boolean isAwaited) {
    isDueAwaited = isAwaited;
  }

  /** Ends a run that must end; else renews its claim in time. */
  void look(SourceRun run) {
    if (run.time().compareTo(settings.runTimeout()) > 0) {
      run.end(
          RebuildErrors.sourceUnreadable(
              "The run took longer than %d seconds, the limit set by bloomgate.sources.run-timeout. Make the source smaller or faster, or raise the limit."
                  .formatted(settings.runTimeout().toSeconds())));
    } else if (run.pause().compareTo(settings.idleTimeout()) > 0) {
      run.end(
          RebuildErrors.sourceUnreadable(
              "The source paused for longer than %d seconds, the limit set by bloomgate.sources.idle-timeout. Check the source, or raise the limit."
                  .formatted(settings.idleTimeout().toSeconds())));
    } else if (run.waited().compareTo(settings.slowTimeout()) > 0 && mustEnd(run)) {
      run.end(
          RebuildErrors.sourceUnreadable(
              "The source took %d seconds to send %d elements, while other runs were waiting and %d other sources were as slow. Make it faster, schedule it at another time, or raise bloomgate.sources.slow-timeout or bloomgate.sources.max-concurrent."
                  .formatted(run.waited().toSeconds(), run.elements(), slots)));
    } else {
      run.renewInTime();
    }
  }

  /**
   * Makes room if another run is waiting.
   *
   * @return whether this run must end for it, because no more runs may give up their slots
   */
  private synchronized boolean mustEnd(SourceRun slow) {
    if (!isAwaited() || isEnding || aside.contains(slow) || !runs.contains(slow)) {
      return false;
    }
    if (aside.size() == slots) {
      isEnding = true;
      return true;
    }
    aside.add(slow);
    threads.setCorePoolSize(slots + aside.size());
    return false;
  }

  private boolean isAwaited() {
    var places = slots + aside.size();
    return runs.size() > places || (runs.size() == places && isDueAwaited);
  }

  /** At once, so that another instance continues the runs while this one answers its requests. */
  void stop(@Observes ShutdownDelayInitiatedEvent stopping) {
    stop();
  }

  /** Starts no more runs; those that are waiting start only to end. */
  private void stop() {
    List<SourceRun> all;
    synchronized (this) {
      isStopped = true;
      threads.shutdown();
      all = List.copyOf(runs);
    }
    all.forEach(SourceRun::stop);
  }

  /** Before the link to Redis is closed, so that runs can be given back. */
  void close(@Observes @Priority(1) ShutdownEvent stopping) {
    close();
  }

  /** Stops the runs; another instance, or this one after a restart, continues them. */
  @PreDestroy
  public void close() {
    stop();
    awaitEnd();
    timer.shutdownNow();
  }

  private void awaitEnd() {
    try {
      if (!isEndedInTime()) {
        threads.shutdownNow();
        var unused = isEndedInTime();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isEndedInTime() throws InterruptedException {
    return threads.awaitTermination(TO_STOP.toMillis(), TimeUnit.MILLISECONDS);
  }
}
