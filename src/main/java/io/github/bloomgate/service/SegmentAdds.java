package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentStore;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Adds elements to the segments of one generation, by the cheaper of two ways for each segment: bit
 * by bit in Redis, or as a bitmap, see {@link SegmentUnions}. The outcome is the same.
 */
@ApplicationScoped
class SegmentAdds {

  private final SegmentStore segments;
  private final SegmentUnions unions;
  private final MemoryBudget memory;

  SegmentAdds(SegmentStore segments, SegmentUnions unions, MemoryBudget memory) {
    this.segments = segments;
    this.unions = unions;
    this.memory = memory;
  }

  /**
   * Adds elements, in order within each segment. With one segment nothing is applied after the
   * first element that it refuses.
   *
   * @param calls how each script call is made
   */
  Uni<AddedElements> add(Filter filter, List<byte[]> elements, SegmentCalls calls) {
    var added = new AddedElements(elements);
    var parts = Parts.of(filter, elements);
    return parts
        .inTurn(
            part -> {
              var some = parts.elements(part);
              return memory.holding(
                  MemoryBudget.Use.WORK,
                  Parts.memory(filter, some.size()),
                  () -> new Part(filter, some, parts.first(part), added, calls).add());
            })
        .replaceWith(added);
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
      return unions.takes(filter, elements.size() / filter.shape().segments())
          ? addBySegment(HashedElements.of(filter.parameters(), elements))
          : BatchCalls.all(filter, Placement.of(filter.parameters(), elements), this::addUnlessFull)
              .replaceWith(added);
    }

    private Uni<AddedElements> addBySegment(HashedElements hashed) {
      return Multi.createFrom()
          .iterable(hashed.segments())
          .onItem()
          .transformToUni(segment -> addTo(segment, hashed))
          .merge(Parts.segmentsAtOnce(elements.size()))
          .collect()
          .last();
    }

    private Uni<AddedElements> addTo(int segment, HashedElements hashed) {
      return isOver()
          ? Uni.createFrom().item(added)
          : unions
              .add(
                  new UnionOffer(
                      filter, segment, hashed, calls, () -> addBits(hashed.batches(segment))))
              .invoke(
                  union ->
                      union.ifPresent(
                          done -> {
                            added.apply(hashed, segment, first, done.changed());
                            added.noteNext(done.next());
                            added.noteReplicas(done.replicas());
                          }))
              .replaceWith(added);
    }

    private Uni<AddedElements> addBits(List<SegmentBatch> batches) {
      return Multi.createFrom()
          .iterable(batches)
          .onItem()
          .transformToUniAndConcatenate(this::addUnlessFull)
          .collect()
          .last();
    }

    /**
     * What comes after the first element refused is refused as well, where elements have an order.
     */
    private Uni<AddedElements> addUnlessFull(SegmentBatch batch) {
      return isOver()
          ? Uni.createFrom().item(added)
          : calls
              .on(batch.segment(), () -> segments.add(filter, batch, calls.durability()))
              .invoke(
                  reply -> {
                    for (var i = 0; i < reply.added().length; i++) {
                      added.apply(first + batch.elements()[i], reply.added()[i]);
                    }
                    added.noteNext(reply.next());
                    added.noteReplicas(reply.replicas());
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
