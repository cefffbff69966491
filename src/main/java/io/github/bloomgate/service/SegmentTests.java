package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.store.NearTests;
import io.github.bloomgate.store.SegmentBatch;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Tests elements against the segments of one generation, by the cheaper of two ways for each
 * segment: one by one, see {@link NearTests}, or in its bitmap, read for this. Both tell what holds
 * at a moment between question and answer.
 */
@ApplicationScoped
class SegmentTests {

  /**
   * Beyond that a bitmap is read for the elements even if there is a copy: they are tested faster.
   */
  private static final int MANY = 10_000;

  private final NearTests near;
  private final SegmentUnions unions;

  SegmentTests(NearTests near, SegmentUnions unions) {
    this.near = near;
    this.unions = unions;
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
              var from = parts.first(part);
              return new Part(filter, from, calls, maybe).test(parts.elements(part));
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

    private Uni<?> test(List<byte[]> elements) {
      var isLeftToCopies = elements.size() <= MANY && near.takes(filter);
      if (isLeftToCopies || !unions.pay(filter, elements.size() / filter.shape().segments())) {
        return BatchCalls.all(filter, Placement.of(filter.parameters(), elements), this::testBits);
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

    private Uni<boolean[]> testIn(int segment, HashedElements hashed) {
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
          .on(batch.segment(), () -> near.test(filter, batch))
          .invoke(
              flags -> {
                for (var i = 0; i < flags.length; i++) {
                  maybe[first + batch.elements()[i]] = flags[i];
                }
              });
    }
  }
}
