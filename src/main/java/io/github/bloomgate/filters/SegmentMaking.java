package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.Intents.Intent;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;

/**
 * Waits while the later segments of what was just begun are made, of a filter or of the next
 * generation of one. How they are made is told at {@link SegmentBirths}.
 */
@ApplicationScoped
public class SegmentMaking {

  private static final Logger LOG = Logger.getLogger(SegmentMaking.class);

  /** How long a request waits for the last segment before it answers that they are being made. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final Reconciler reconciler;
  private final Duration wait;

  @Inject
  public SegmentMaking(Reconciler reconciler) {
    this(reconciler, WAIT);
  }

  /** Has requests wait for so long. */
  public SegmentMaking(Reconciler reconciler, Duration wait) {
    this.reconciler = reconciler;
    this.wait = wait;
  }

  /**
   * Makes the segments; goes on in the background when it takes longer than a client would wait.
   *
   * @param filter the generation whose segments are made
   * @param discard takes back what was begun, when Redis has no room for all of it
   */
  public void make(Filter filter, Intent intent, Runnable discard) {
    if (filter.segments() == 1) {
      makeAll(intent, discard);
      return;
    }
    var made = CompletableFuture.runAsync(() -> makeAll(intent, discard), OwnContext.workers());
    // A copy: giving up the wait does not end the work.
    await(
        Uni.createFrom()
            .completionStage(made.copy())
            .ifNoItem()
            .after(wait)
            .recoverWithUni(Uni.createFrom().voidItem()));
  }

  private void makeAll(Intent intent, Runnable discard) {
    try {
      reconciler.reconcile(intent);
    } catch (RuntimeException failure) {
      if (failure instanceof BloomException error && error.code() == ErrorCode.STORE_FULL) {
        discard(intent.name(), discard);
      }
      LOG.warnf("Segments of filter %s were not made: %s", intent.name(), failure.getMessage());
      throw failure;
    }
  }

  private static void discard(FilterName name, Runnable discard) {
    try {
      discard.run();
    } catch (RuntimeException failure) {
      LOG.warnf("Filter %s could not be discarded: %s", name, failure.getMessage());
    }
  }
}
