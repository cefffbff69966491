package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.store.AddReply;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Adds and tests elements. An element is decided by one script on one segment, and so atomically; a
 * request of many elements is not one unit to others, but is answered only when all of it is done.
 */
@ApplicationScoped
public class ElementService {

  /** The most elements of one request. */
  public static final int MAX_ELEMENTS = 10_000;

  /** The most bytes of one element. */
  public static final int MAX_ELEMENT_BYTES = ElementEncoding.MAX_ELEMENT_BYTES;

  private static final int CALLS_AT_ONCE = 16;

  private final LiveFilters live;
  private final SegmentStore segments;
  private final Counter added;
  private final Counter known;
  private final Counter present;
  private final Counter absent;

  ElementService(LiveFilters live, SegmentStore segments, MeterRegistry metrics) {
    this.live = live;
    this.segments = segments;
    this.added = elements(metrics, "bloom.elements.added", "Elements added", "new");
    this.known = elements(metrics, "bloom.elements.added", "Elements added", "known");
    this.present = elements(metrics, "bloom.elements.tested", "Elements tested", "maybe");
    this.absent = elements(metrics, "bloom.elements.tested", "Elements tested", "absent");
  }

  private static Counter elements(
      MeterRegistry metrics, String name, String description, String result) {
    return Counter.builder(name).description(description).tag("result", result).register(metrics);
  }

  /**
   * Adds elements to a filter.
   *
   * @return for each element, in order: true if it is certainly new (it changed a bit), false if it
   *     was probably there
   * @throws BloomException FILTER_FULL if the filter rejects new elements beyond its n: the detail
   *     says how many elements were applied; STORE_OUTCOME_UNKNOWN if some may have been; all of
   *     {@link LiveFilters#useSegments}
   */
  public Uni<Answers> add(FilterName name, List<byte[]> elements) {
    return live.useSegments(name, filter -> addTo(filter, elements))
        .invoke(answers -> count(answers, added, known));
  }

  /**
   * Tests elements against a filter.
   *
   * @return for each element, in order: true if the filter might contain it, false if it certainly
   *     does not
   * @throws BloomException all of {@link LiveFilters#useSegments}
   */
  public Uni<Answers> test(FilterName name, List<byte[]> elements) {
    return live.useSegments(name, filter -> testIn(filter, elements))
        .invoke(answers -> count(answers, present, absent));
  }

  /**
   * Fails as the others would on a filter that cannot be used; for a stream, before it is read.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_NOT_READY and what reading a filter may fail
   *     with
   */
  public Uni<Void> requireUsable(FilterName name) {
    return live.find(name)
        .invoke(
            found -> {
              if (!found.filter().isReady()) {
                throw BloomException.filterNotReady(name);
              }
            })
        .replaceWithVoid();
  }

  private Uni<Answers> addTo(Filter filter, List<byte[]> elements) {
    var batches = Placement.of(filter.parameters(), elements);
    var full = new AtomicBoolean();
    return all(filter, batches, batch -> addUnless(full, filter, batch))
        .map(
            replies -> {
              var flags =
                  scatter(batches, replies.stream().map(AddReply::added).toList(), elements);
              if (replies.stream().anyMatch(AddReply::full)) {
                var applied = replies.stream().mapToLong(reply -> reply.added().length).sum();
                throw BloomException.filterFull(
                    filter.name(),
                    filter.parameters().expectedInsertions(),
                    applied,
                    elements.size(),
                    filter.shape().segments() == 1);
              }
              return Answers.of(flags);
            });
  }

  /**
   * What comes after the first element refused is refused as well, where elements have an order.
   */
  private Uni<AddReply> addUnless(AtomicBoolean full, Filter filter, SegmentBatch batch) {
    return full.get() && filter.shape().segments() == 1
        ? Uni.createFrom().item(new AddReply(new boolean[0], true))
        : segments.add(filter, batch).invoke(reply -> full.compareAndSet(false, reply.full()));
  }

  private Uni<Answers> testIn(Filter filter, List<byte[]> elements) {
    var batches = Placement.of(filter.parameters(), elements);
    return all(filter, batches, batch -> segments.test(filter, batch))
        .map(replies -> Answers.of(scatter(batches, replies, elements)));
  }

  /**
   * Runs one call per batch. Calls for one segment go one after the other: each occupies Redis for
   * half a millisecond, and other requests shall get their turn in between.
   */
  private <T> Uni<List<T>> all(
      Filter filter, List<SegmentBatch> batches, Function<SegmentBatch, Uni<T>> call) {
    if (batches.size() == 1) {
      return live.onSegment(filter, batches.get(0).segment(), () -> call.apply(batches.get(0)))
          .map(List::of);
    }
    var atOnce = filter.shape().segments() == 1 ? 1 : CALLS_AT_ONCE;
    return Uni.join()
        .all(
            batches.stream()
                .map(
                    batch ->
                        Uni.createFrom()
                            .deferred(
                                () ->
                                    live.onSegment(
                                        filter, batch.segment(), () -> call.apply(batch))))
                .toList())
        .usingConcurrencyOf(atOnce)
        .andFailFast();
  }

  private static boolean[] scatter(
      List<SegmentBatch> batches, List<boolean[]> replies, List<byte[]> elements) {
    var flags = new boolean[elements.size()];
    for (var b = 0; b < batches.size(); b++) {
      var places = batches.get(b).elements();
      var reply = replies.get(b);
      for (var i = 0; i < reply.length; i++) {
        flags[places[i]] = reply[i];
      }
    }
    return flags;
  }

  private static void count(Answers answers, Counter whenTrue, Counter whenFalse) {
    whenTrue.increment(answers.trueCount());
    whenFalse.increment(answers.flags().length - answers.trueCount());
  }
}
