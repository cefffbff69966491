package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.Filter.Pending;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Intents;
import io.github.bloomgate.store.Intents.Intent;
import io.github.bloomgate.store.LaterSegments;
import io.github.bloomgate.store.MoveStore;
import io.github.bloomgate.store.Outline;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.StaleFilterException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Lets the later segments of filters follow what happened to the first.
 *
 * <p>A filter of many segments is too large for one script, and its segments may be on different
 * nodes. So a change is made to the first segment alone, in one script, and takes effect there;
 * Reconciling then makes, empties, dates or frees the others one by one. It can be cut short
 * anywhere, repeated, and done by several instances at once: the name stays noted until it is
 * complete. While a rebuild is open its name stays noted too, so that one that was abandoned is
 * found and aborted.
 */
@ApplicationScoped
public class Reconciler {

  private static final Logger LOG = Logger.getLogger(Reconciler.class);

  /** Noted this long ago and still not reconciled: the instance that began it does not go on. */
  private static final Duration ABANDONED = Duration.ofSeconds(30);

  private static final int MAX_ROUNDS = 10;

  private final FilterStore filters;
  private final LaterSegments segments;
  private final SegmentBirths births;
  private final RebuildStore rebuilds;
  private final MoveStore moves;
  private final Intents intents;
  private final Clock clock;

  public Reconciler(
      FilterStore filters,
      LaterSegments segments,
      SegmentBirths births,
      RebuildStore rebuilds,
      MoveStore moves,
      Intents intents,
      Clock clock) {
    this.filters = filters;
    this.segments = segments;
    this.births = births;
    this.rebuilds = rebuilds;
    this.moves = moves;
    this.intents = intents;
    this.clock = clock;
  }

  /** Finishes what was begun and abandoned, by this instance before a crash or by any other. */
  public void reconcileAbandoned() {
    for (var intent : intents.notedBefore(clock.instant().minus(ABANDONED))) {
      var name = intent.name();
      try {
        if (reconcileNoted(intent).isAtRest()) {
          LOG.infof("Finished what was begun and abandoned with filter %s", name);
        }
      } catch (RuntimeException failure) {
        LOG.warnf(
            "The segments of filter %s could not be reconciled, trying again later: %s",
            name, failure.getMessage());
      }
    }
  }

  /**
   * Notes that the later segments of a filter will have to follow a change about to be made.
   *
   * @return the intent, for {@link #reconcile}
   */
  public Intent intend(FilterName name) {
    return intents.intend(name, clock.instant());
  }

  /**
   * Lets the later segments of a filter follow, then strikes off the intent unless one is needed.
   */
  public void reconcile(Intent intent) {
    reconcileNoted(intent);
  }

  private Outline reconcileNoted(Intent intent) {
    var outline = reconcile(intent.name());
    if (outline.isAtRest()) {
      intents.strikeOff(intent);
    } else {
      intents.postpone(intent, clock.instant());
    }
    return outline;
  }

  /** What there is under a name when all segments have followed. */
  private Outline reconcile(FilterName name) {
    for (var round = 1; round <= MAX_ROUNDS; round++) {
      var pass = new SegmentPass();
      var outline = await(filters.outline(name));
      if (finished(name, outline, pass)) {
        pass.requireNoDamage();
        return outline;
      }
    }
    throw FilterErrors.changed(name);
  }

  /** One round; false if what was done has changed what there is. */
  private boolean finished(FilterName name, Outline outline, SegmentPass pass) {
    try {
      if (endMoves(outline) || abortIfAbandoned(name, outline)) {
        return false;
      }
      var orphans = orphans(outline);
      for (var incarnation : orphans) {
        pass.each(
            outline.segmentSets().get(incarnation), segment -> segments.free(incarnation, segment));
      }
      reconcileSegments(outline, pass);
      openLayers(outline);
      return filters.finish(name, outline, orphans);
    } catch (StaleFilterException changed) {
      // Its generation is gone or ready, or a segment is another: look what is there.
      return false;
    }
  }

  /** Ends what renames from other slots have left under a name; tells whether there was any. */
  private boolean endMoves(Outline outline) {
    var ended = false;
    for (var move : outline.moves()) {
      ended |= moves.end(move, false).isPresent();
    }
    return ended;
  }

  private boolean abortIfAbandoned(FilterName name, Outline outline) {
    var aborted =
        outline
            .rebuild()
            .filter(rebuild -> !clock.instant().isBefore(rebuild.abandonedAt()))
            .map(rebuild -> rebuilds.abortIfAbandoned(rebuild.next()))
            .orElse(false);
    if (aborted) {
      LOG.warnf("Aborted the rebuild of filter %s: nothing was loaded into it any more", name);
    }
    return aborted;
  }

  /** The incarnations listed under a name that belong to nothing: nobody can reach them. */
  private static List<String> orphans(Outline outline) {
    var orphans = new ArrayList<>(outline.segmentSets().keySet());
    outline.generations().forEach(filter -> orphans.remove(filter.generation().incarnation()));
    return orphans;
  }

  /** Opens what was planned. */
  private void openLayers(Outline outline) {
    outline.generations().stream()
        .filter(all -> all.planned().isPresent())
        .forEach(births::completeLayer);
  }

  private void reconcileSegments(Outline outline, SegmentPass pass) {
    for (var filter : outline.generations()) {
      if (filter.pending() == Pending.NOTHING) {
        continue;
      }
      if (filter.isReady()) {
        pass.each(filter.segments(), segment -> segments.reconcile(filter, segment));
      } else {
        births.complete(filter, pass);
      }
    }
  }
}
