package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.filters.SegmentCalls;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/** Writes elements to the generations that rebuilds load. */
@ApplicationScoped
public class NextGenerations {

  private static final Logger LOG = Logger.getLogger(NextGenerations.class);
  private static final int MAX_REMEMBERED = 1_000;
  private static final int CALLS_AT_ONCE = 16;

  private final LiveFilters live;
  private final SegmentElements elements;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final Reconciler reconciler;
  private final Executor workers;

  /** What was last seen to be loaded for a live generation. */
  private final Cache<Generation, Filter> known =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();

  @Inject
  NextGenerations(
      LiveFilters live,
      SegmentElements elements,
      SegmentStore segments,
      RebuildStore rebuilds,
      Reconciler reconciler) {
    this(live, elements, segments, rebuilds, reconciler, OwnContext.workers());
  }

  /** Aborts rebuilds that lost something on threads of these. */
  public NextGenerations(
      LiveFilters live,
      SegmentElements elements,
      SegmentStore segments,
      RebuildStore rebuilds,
      Reconciler reconciler,
      Executor workers) {
    this.workers = workers;
    this.live = live;
    this.elements = elements;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.reconciler = reconciler;
  }

  /** Writes to a next generation. */
  public Uni<AddedElements> write(Filter next, List<byte[]> elements) {
    return write(next, elements, Durability.PRIMARY);
  }

  /**
   * The generation to which elements can be written while they are added to the live one, which
   * saves a round trip: the next one, if it is known, and the live one refuses none.
   */
  Optional<Filter> ahead(Filter filter) {
    return filter.parameters().maxInsertionsPerSegment() > 0
        ? Optional.empty()
        : Optional.ofNullable(known.getIfPresent(filter.generation()))
            .filter(next -> next.name().equals(filter.name()));
  }

  /**
   * Writes elements to a generation as {@link #ahead} tells it. Never fails.
   *
   * @param added where it is noted what became of them
   * @return whether it took all of them at a moment at which it was the next; else {@link #follow}
   *     decides what to do
   */
  Uni<Boolean> writeAhead(
      Filter next, List<byte[]> elements, Durability durability, AddedElements added) {
    return this.elements
        .add(next, elements, SegmentCalls.once(durability), added)
        .map(written -> !written.isFull() && isConfirmed(written))
        .onFailure()
        .recoverWithItem(false);
  }

  /** Notes that no rebuild is open. */
  void forget(Filter filter) {
    known.invalidate(filter.generation());
  }

  /**
   * The first segment of a next generation bears the filter's name: while it is there, so is the
   * rebuild. Its later segments stay where they are when it is committed, and say nothing.
   */
  private static boolean isConfirmed(AddedElements written) {
    return written.filter().segments() == 1 || written.isAgreed();
  }

  private Uni<AddedElements> write(Filter next, List<byte[]> elements, Durability durability) {
    return this.elements.add(
        next, elements, SegmentCalls.once(durability), new AddedElements(elements));
  }

  /**
   * Lets elements that were added to the live generation follow to the next, so that they outlive a
   * commit. When this succeeds, both generations were live and next, with the elements in both, at
   * one moment.
   *
   * <p>Fails with {@link StaleFilterException} if the filter or its rebuild has changed: add again.
   *
   * @param filter the live generation, which holds the elements
   * @param generation the one that the live generation named after they were written
   * @throws BloomException FILTER_FULL if the next generation rejects some of them
   */
  public Uni<Void> follow(
      Filter filter, Generation generation, List<byte[]> elements, Durability durability) {
    return find(filter, generation)
        .chain(
            next ->
                write(next, elements, durability)
                    .invoke(
                        written -> {
                          known.put(filter.generation(), written.filter());
                          if (written.isFull()) {
                            throw RebuildErrors.full(
                                next.name(), next.parameters().expectedInsertions());
                          }
                        })
                    .chain(
                        written ->
                            isConfirmed(written)
                                ? Uni.createFrom().voidItem()
                                : confirm(filter, next)))
        .onFailure(NextGenerations::isLost)
        .recoverWithUni(
            failure ->
                Uni.createFrom()
                    .<Void>item(
                        () -> {
                          abortIfLost(filter, generation, failure);
                          throw new StaleFilterException(false);
                        })
                    .runSubscriptionOn(workers));
  }

  private Optional<Filter> remembered(Filter filter, Generation generation) {
    return Optional.ofNullable(known.getIfPresent(filter.generation()))
        .filter(next -> next.name().equals(filter.name()))
        .filter(next -> next.generation().equals(generation));
  }

  private Uni<Filter> find(Filter filter, Generation generation) {
    var remembered = remembered(filter, generation);
    return remembered.isPresent()
        ? Uni.createFrom().item(remembered.get())
        : rebuilds
            .find(filter.name())
            .map(
                rebuild -> {
                  var next =
                      rebuild
                          .map(Rebuild::next)
                          .filter(found -> found.generation().equals(generation))
                          .orElseThrow(() -> new StaleFilterException(true));
                  known.put(filter.generation(), next);
                  return next;
                });
  }

  private Uni<Void> confirm(Filter filter, Filter next) {
    return live.confirm(filter)
        .invoke(
            now -> {
              if (now.filter(next.generation()::equals).isEmpty()) {
                throw new StaleFilterException(false);
              }
            })
        .replaceWithVoid();
  }

  /**
   * Whether a failure to write shows by itself that something is lost. What was there in part, or
   * could not be read, does; what was not there may have borne another name for a moment, but for
   * the later segments, which stay where they are.
   */
  private boolean isLostForSure(Filter filter, Generation generation, Throwable failure) {
    return !(failure instanceof StaleFilterException)
        || remembered(filter, generation)
            .filter(next -> await(lostLaterSegment(next)).isPresent())
            .isPresent();
  }

  /** Finds a later segment of a next generation that is not there, if there is one. */
  public Uni<OptionalInt> lostLaterSegment(Filter next) {
    return Multi.createFrom()
        .items(IntStream.range(1, next.segments()).boxed())
        .onItem()
        .transformToUni(
            segment ->
                segments
                    .lastCount(next, segment)
                    .replaceWith(OptionalInt.empty())
                    .onFailure(NextGenerations::isLost)
                    .recoverWithItem(OptionalInt.of(segment)))
        .merge(CALLS_AT_ONCE)
        .filter(OptionalInt::isPresent)
        .toUni()
        .onItem()
        .ifNull()
        .continueWith(OptionalInt.empty());
  }

  private static boolean isLost(Throwable failure) {
    return failure instanceof StaleFilterException
        || (failure instanceof BloomException error && error.code() == ErrorCode.FILTER_DAMAGED);
  }

  /**
   * A rebuild that the live generation still names, but that has lost a segment, can never be
   * committed: it is aborted, so that adds go on without it.
   *
   * <p>Where the failure does not show it for sure, the script that aborts looks at the first
   * segment again. Waits for all of it.
   */
  private void abortIfLost(Filter filter, Generation generation, Throwable failure) {
    var name = filter.name();
    if (await(live.confirm(filter)).filter(generation::equals).isEmpty()) {
      return;
    }
    var lost = isLostForSure(filter, generation, failure);
    var intent = reconciler.intend(name);
    var aborted = lost ? rebuilds.abort(name, generation) : rebuilds.abortIfLost(name, generation);
    reconciler.reconcile(intent);
    if (aborted) {
      LOG.errorf(
          "Aborted the rebuild of filter %s: part of what it loaded is missing in Redis", name);
    }
  }
}
