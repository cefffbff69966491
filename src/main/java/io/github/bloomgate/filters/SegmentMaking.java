package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.Intents.Intent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.Supplier;
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

  private static final Uni<Void> NOTHING = Uni.createFrom().voidItem();

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
   * @param discard takes back what was begun, when Redis has no room for all of it
   */
  public Uni<Void> make(Intent intent, Supplier<Uni<Void>> discard) {
    var name = intent.name();
    return Uni.createFrom()
        // Not ended by who waits no longer.
        .<Void>emitter(
            emitter ->
                reconciler
                    .reconcile(intent)
                    .onFailure(SegmentMaking::isStoreFull)
                    .call(() -> discard(name, discard))
                    .subscribe()
                    .with(
                        emitter::complete,
                        failure -> {
                          LOG.warnf(
                              "Segments of filter %s were not made: %s",
                              name, failure.getMessage());
                          emitter.fail(failure);
                        }))
        .ifNoItem()
        .after(wait)
        .recoverWithUni(NOTHING)
        .emitOn(OwnContext.here());
  }

  private static Uni<Void> discard(FilterName name, Supplier<Uni<Void>> discard) {
    return discard
        .get()
        .onFailure()
        .invoke(
            failure ->
                LOG.warnf("Filter %s could not be discarded: %s", name, failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }

  private static boolean isStoreFull(Throwable failure) {
    return failure instanceof BloomException error && error.code() == ErrorCode.STORE_FULL;
  }
}
