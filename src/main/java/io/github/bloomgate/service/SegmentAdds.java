package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Adds elements to the segments of one generation, by the cheaper of two ways for each segment: bit
 * by bit in Redis, or as a bitmap, see {@link SegmentUnions}. The outcome is the same.
 */
@ApplicationScoped
class SegmentAdds {

  private static final int UNIONS_AT_ONCE = 2;

  /** Bits of the elements that are hashed at once, 4 bytes each. */
  private static final int MAX_POSITIONS = 1 << 20;

  private final SegmentStore segments;
  private final SegmentUnions unions;

  SegmentAdds(SegmentStore segments, SegmentUnions unions) {
    this.segments = segments;
    this.unions = unions;
  }

  /**
   * Adds elements, in order within each segment. With one segment nothing is applied after the
   * first element that it refuses.
   *
   * @param calls how each script call is made
   */
  Uni<AddedElements> add(Filter filter, List<byte[]> elements, SegmentCalls calls) {
    var added = new AddedElements(elements);
    var perPart =
        Math.max(ElementService.MAX_ELEMENTS, MAX_POSITIONS / filter.shape().numHashFunctions());
    var parts = (elements.size() + perPart - 1) / perPart;
    if (parts > 1) {
      requireSupported(filter, elements);
    }
    return inTurn(
            parts,
            part -> {
              var from = part * perPart;
              var some = elements.subList(from, Math.min(elements.size(), from + perPart));
              return new Part(filter, some, from, added, calls).add();
            })
        .replaceWith(added);
  }

  /** Bad elements are told before anything is written. */
  private static void requireSupported(Filter filter, List<byte[]> elements) {
    var parameters = filter.parameters();
    if (parameters.hashScheme() != HashSchemes.nativeScheme()) {
      var positions = new long[Math.max(2, filter.shape().numHashFunctions())];
      for (var i = 0; i < elements.size(); i++) {
        HashedElements.locate(parameters, elements, i, positions);
      }
    }
  }

  private static Uni<AddedElements> inTurn(int count, IntFunction<Uni<AddedElements>> step) {
    return count == 1
        ? step.apply(0)
        : Multi.createFrom()
            .items(IntStream.range(0, count).boxed())
            .onItem()
            .transformToUniAndConcatenate(step::apply)
            .collect()
            .last();
  }

  /** Elements that follow each other, few enough to be hashed at once. */
  private final class Part {

    private final Filter filter;
    private final List<byte[]> elements;
    private final int first;
    private final AddedElements added;
    private final SegmentCalls calls;

    private Part(
        Filter filter, List<byte[]> elements, int first, AddedElements added, SegmentCalls calls) {
      this.filter = filter;
      this.elements = elements;
      this.first = first;
      this.added = added;
      this.calls = calls;
    }

    private Uni<AddedElements> add() {
      return unions.pay(filter, elements.size() / filter.shape().segments())
          ? addBySegment(HashedElements.of(filter.parameters(), elements))
          : BatchCalls.all(filter, Placement.of(filter.parameters(), elements), this::addUnlessFull)
              .replaceWith(added);
    }

    private Uni<AddedElements> addBySegment(HashedElements hashed) {
      return Multi.createFrom()
          .iterable(hashed.segments())
          .onItem()
          .transformToUni(
              segment ->
                  Uni.createFrom()
                      .deferred(() -> addTo(segment, hashed))
                      // Setting a hundred thousand bits is no work for an event loop.
                      .runSubscriptionOn(Infrastructure.getDefaultWorkerPool()))
          .merge(UNIONS_AT_ONCE)
          .collect()
          .last();
    }

    private Uni<AddedElements> addTo(int segment, HashedElements hashed) {
      if (isOver()) {
        return Uni.createFrom().item(added);
      }
      return unions
          .add(filter, segment, hashed, calls)
          .chain(
              union ->
                  union
                      .map(
                          done -> {
                            for (var place = 0; place < hashed.count(segment); place++) {
                              var index = hashed.indexOf(segment, place);
                              added.apply(first + index, done.changed()[place]);
                            }
                            added.noteNext(done.next());
                            return Uni.createFrom().item(added);
                          })
                      .orElseGet(() -> addBits(hashed.batches(segment))));
    }

    private Uni<AddedElements> addBits(List<SegmentBatch> batches) {
      return inTurn(batches.size(), i -> addUnlessFull(batches.get(i)));
    }

    /**
     * What comes after the first element refused is refused as well, where elements have an order.
     */
    private Uni<AddedElements> addUnlessFull(SegmentBatch batch) {
      return isOver()
          ? Uni.createFrom().item(added)
          : calls
              .on(batch.segment(), () -> segments.add(filter, batch))
              .invoke(
                  reply -> {
                    for (var i = 0; i < reply.added().length; i++) {
                      added.apply(first + batch.elements()[i], reply.added()[i]);
                    }
                    added.noteNext(reply.next());
                    if (reply.full()) {
                      added.refuse();
                    }
                  })
              .replaceWith(added);
    }

    private boolean isOver() {
      return added.isFull() && filter.shape().segments() == 1;
    }
  }
}
