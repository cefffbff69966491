package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.store.NearCopies;
import io.github.bloomgate.store.NearTests;
import io.github.bloomgate.store.SegmentBatch;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;

/**
 * Tests elements against the segments of one generation: against copies of them where there are
 * any, see {@link NearTests}; else by the cheaper of two ways, one by one in Redis or in a bitmap
 * that is read for this. All tell what holds at a moment between question and answer.
 */
@ApplicationScoped
class SegmentTests {

  private final NearTests near;
  private final SegmentUnions unions;
  private final MemoryBudget memory;

  SegmentTests(NearTests near, SegmentUnions unions, MemoryBudget memory) {
    this.near = near;
    this.unions = unions;
    this.memory = memory;
  }

  /**
   * Tests elements.
   *
   * @param calls how each script call is made
   * @return for each, in order, whether it might be contained
   */
  Uni<boolean[]> test(Filter filter, List<byte[]> elements, SegmentCalls calls) {
    var maybe = new boolean[elements.size()];
    var parts = Parts.of(filter, elements);
    return parts
        .inTurn(
            part -> {
              var some = parts.elements(part);
              return memory.holding(
                  MemoryBudget.Use.WORK,
                  Parts.memory(filter, some.size()),
                  () -> new Part(filter, parts.first(part), calls, maybe).test(some));
            })
        .replaceWith(maybe);
  }

  /** Elements that follow each other, few enough to be hashed at once. */
  private final class Part {

    private final Filter filter;
    private final int first;
    private final SegmentCalls calls;
    private final boolean[] maybe;

    private Part(Filter filter, int first, SegmentCalls calls, boolean[] maybe) {
      this.filter = filter;
      this.first = first;
      this.calls = calls;
      this.maybe = maybe;
    }

    private Uni<Void> test(List<byte[]> elements) {
      return near.copies(filter)
          .<Uni<?>>map(copies -> testNear(elements, copies))
          .orElseGet(() -> testInRedis(elements))
          .replaceWithVoid();
    }

    /** Elements are hashed and tested at once: nothing has to be kept of them. */
    private Uni<?> testNear(List<byte[]> elements, NearCopies copies) {
      var parameters = filter.parameters();
      var positions = new long[Math.max(2, filter.shape().numHashFunctions())];
      for (var i = 0; i < elements.size(); i++) {
        var segment = HashedElements.locate(parameters, elements, i, positions);
        maybe[first + i] = copies.contains(segment, positions);
      }
      var segments = copies.segments();
      if (segments.length == 0) {
        return testInRedis(elements);
      }
      var confirmed = confirm(copies, segments);
      // Hashing once more what is left of a large part is no work for an event loop.
      return (elements.size() > ElementService.MAX_ELEMENTS
              ? confirmed.emitOn(OwnContext.workers())
              : confirmed)
          .chain(() -> testRest(elements, copies));
    }

    private Uni<Void> confirm(NearCopies copies, int[] segments) {
      return segments.length == 1
          ? calls.on(segments[0], () -> copies.confirm(segments[0]))
          : Multi.createFrom()
              .iterable(Arrays.stream(segments).boxed().toList())
              .onItem()
              .transformToUni(segment -> calls.on(segment, () -> copies.confirm(segment)))
              .merge(segments.length)
              .onItem()
              .ignoreAsUni();
    }

    /** Those that the copies turned out not to decide are hashed once more. */
    private Uni<?> testRest(List<byte[]> elements, NearCopies copies) {
      if (copies.decidesAll()) {
        near.decided(elements.size());
        return Uni.createFrom().voidItem();
      }
      var k = filter.shape().numHashFunctions();
      var rest = new Placement(k);
      var positions = new long[Math.max(2, k)];
      var decided = elements.size();
      for (var i = 0; i < elements.size(); i++) {
        var segment = HashedElements.locate(filter.parameters(), elements, i, positions);
        maybe[first + i] = maybe[first + i] || copies.contains(segment, positions);
        if (!copies.decides(segment)) {
          rest.put(segment, i, positions);
          decided--;
        }
      }
      near.decided(decided);
      var open = elements.size() - decided;
      return unions.pay(filter, open / filter.shape().segments())
          ? testInRedis(elements)
          : testAll(rest.batches());
    }

    private Uni<?> testInRedis(List<byte[]> elements) {
      if (!unions.pay(filter, elements.size() / filter.shape().segments())) {
        return testAll(Placement.of(filter.parameters(), elements));
      }
      var hashed = HashedElements.of(filter.parameters(), elements);
      return Multi.createFrom()
          .iterable(hashed.segments())
          .onItem()
          .transformToUni(segment -> testIn(segment, hashed))
          .merge(Parts.SEGMENTS_AT_ONCE)
          .collect()
          .last();
    }

    private Uni<?> testAll(List<SegmentBatch> batches) {
      return batches.isEmpty()
          ? Uni.createFrom().voidItem()
          : BatchCalls.all(filter, batches, this::testBits);
    }

    private Uni<boolean[]> testIn(int segment, HashedElements hashed) {
      near.miss(filter, segment, hashed.count(segment));
      return unions
          .test(filter, segment, hashed, first, maybe, calls)
          .chain(
              done ->
                  done
                      ? Uni.createFrom().item(maybe)
                      : Multi.createFrom()
                          .iterable(hashed.batches(segment))
                          .onItem()
                          .transformToUniAndConcatenate(this::testBits)
                          .collect()
                          .last());
    }

    private Uni<boolean[]> testBits(SegmentBatch batch) {
      return calls
          .on(batch.segment(), () -> near.inRedis(filter, batch))
          .invoke(
              flags -> {
                for (var i = 0; i < flags.length; i++) {
                  maybe[first + batch.elements()[i]] = flags[i];
                }
              });
    }
  }
}
