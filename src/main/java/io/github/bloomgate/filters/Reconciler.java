package io.github.bloomgate.filters;

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
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
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

  /** Noted this long ago and still not reconciled: whoever began it does not go on. */
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

  /**
   * Makes a change and lets the later segments follow.
   *
   * @param change the script on the first segment; run once
   * @return the change's result, when all segments have followed
   */
  public <T> Uni<T> follow(FilterName name, Supplier<Uni<T>> change) {
    return intend(name).chain(intent -> change.get().call(() -> reconcile(intent)));
  }

  /** Finishes what was begun and abandoned, by this instance before a crash or by any other. */
  public Uni<Void> reconcileAbandoned() {
    return intents
        .notedBefore(clock.instant().minus(ABANDONED))
        .onItem()
        .transformToMulti(Multi.createFrom()::iterable)
        .onItem()
        .transformToUniAndConcatenate(this::reconcileAbandoned)
        .onItem()
        .ignoreAsUni();
  }

  private Uni<Void> reconcileAbandoned(Intent intent) {
    var name = intent.name();
    return reconcileNoted(intent)
        .invoke(
            outline -> {
              if (outline.isAtRest()) {
                LOG.infof("Finished what was begun and abandoned with filter %s", name);
              }
            })
        .replaceWithVoid()
        .onFailure()
        .invoke(
            failure ->
                LOG.warnf(
                    "The segments of filter %s could not be reconciled, trying again later: %s",
                    name, failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }

  /**
   * Notes that the later segments of a filter will have to follow a change about to be made.
   *
   * @return the intent, for {@link #reconcile}
   */
  public Uni<Intent> intend(FilterName name) {
    return intents.intend(name, clock.instant());
  }

  /**
   * Lets the later segments of a filter follow, then strikes off the intent unless one is needed.
   */
  public Uni<Void> reconcile(Intent intent) {
    return reconcileNoted(intent).replaceWithVoid();
  }

  private Uni<Outline> reconcileNoted(Intent intent) {
    return round(intent.name(), 1)
        .call(
            outline ->
                outline.isAtRest()
                    ? intents.strikeOff(intent)
                    : intents.postpone(intent, clock.instant()));
  }

  /** What there is under a name when all segments have followed. */
  private Uni<Outline> round(FilterName name, int round) {
    if (round > MAX_ROUNDS) {
      return Uni.createFrom().failure(FilterErrors.changed(name));
    }
    var pass = new SegmentPass();
    return filters
        .outline(name)
        .chain(
            outline -> {
              var orphans = orphans(outline);
              return endMoves(outline)
                  .chain(
                      ended ->
                          ended ? Uni.createFrom().item(true) : abortIfAbandoned(name, outline))
                  .chain(
                      changed ->
                          changed
                              ? Uni.createFrom().item(false)
                              : free(outline, orphans, pass)
                                  .chain(() -> reconcileSegments(outline, pass))
                                  .chain(() -> openLayers(outline))
                                  .chain(() -> filters.finish(name, outline, orphans)))
                  // Its generation is gone or ready, or a segment is another: look what is there.
                  .onFailure(StaleFilterException.class)
                  .recoverWithItem(false)
                  .chain(
                      finished -> {
                        if (!finished) {
                          return round(name, round + 1);
                        }
                        return pass.damage()
                            .map(damage -> Uni.createFrom().<Outline>failure(damage))
                            .orElseGet(() -> Uni.createFrom().item(outline));
                      });
            });
  }

  /** Ends what renames from other slots have left under a name; tells whether there was any. */
  private Uni<Boolean> endMoves(Outline outline) {
    return Multi.createFrom()
        .iterable(outline.moves())
        .onItem()
        .transformToUniAndConcatenate(move -> moves.end(move, false))
        .filter(Optional::isPresent)
        .collect()
        .asList()
        .map(ended -> !ended.isEmpty());
  }

  private Uni<Boolean> abortIfAbandoned(FilterName name, Outline outline) {
    return outline
        .rebuild()
        .filter(rebuild -> !clock.instant().isBefore(rebuild.abandonedAt()))
        .map(rebuild -> rebuilds.abortIfAbandoned(rebuild.next()))
        .orElseGet(() -> Uni.createFrom().item(false))
        .invoke(
            aborted -> {
              if (aborted) {
                LOG.warnf(
                    "Aborted the rebuild of filter %s: nothing was loaded into it any more", name);
              }
            });
  }

  /** The incarnations listed under a name that belong to nothing: nobody can reach them. */
  private static List<String> orphans(Outline outline) {
    var orphans = new ArrayList<>(outline.segmentSets().keySet());
    outline.generations().forEach(filter -> orphans.remove(filter.generation().incarnation()));
    return orphans;
  }

  private Uni<Void> free(Outline outline, List<String> incarnations, SegmentPass pass) {
    return Multi.createFrom()
        .iterable(incarnations)
        .onItem()
        .transformToUniAndConcatenate(
            incarnation ->
                pass.each(
                    outline.segmentSets().get(incarnation),
                    segment -> segments.free(incarnation, segment)))
        .onItem()
        .ignoreAsUni();
  }

  private Uni<Void> reconcileSegments(Outline outline, SegmentPass pass) {
    return Multi.createFrom()
        .items(outline.generations().stream().filter(all -> all.pending() != Pending.NOTHING))
        .onItem()
        .transformToUniAndConcatenate(
            filter ->
                filter.isReady()
                    ? pass.each(filter.segments(), segment -> segments.reconcile(filter, segment))
                    : births.complete(filter, pass))
        .onItem()
        .ignoreAsUni();
  }

  /** Opens what was planned. */
  private Uni<Void> openLayers(Outline outline) {
    return Multi.createFrom()
        .items(outline.generations().stream().filter(all -> all.planned().isPresent()))
        .onItem()
        .transformToUniAndConcatenate(births::completeLayer)
        .onItem()
        .ignoreAsUni();
  }
}
