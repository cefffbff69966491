package io.github.bloomgate.service;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.journal.SegmentCopies;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.service.SegmentWork.Kind;
import io.github.bloomgate.store.SegmentBatch;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Adds elements to the segments of one generation, by the cheaper of two ways for each segment: bit
 * by bit in Redis, or with a copy of it, see {@link SegmentJournals}. The outcome is the same.
 */
@ApplicationScoped
class SegmentAdds {

  private final SegmentJournals journals;
  private final MemoryBudget memory;

  SegmentAdds(SegmentJournals journals, MemoryBudget memory) {
    this.journals = journals;
    this.memory = memory;
  }

  /**
   * Adds elements, in order within each segment. With one segment nothing is applied after the
   * first element that it refuses.
   *
   * @param calls how each script call is made
   */
  Uni<AddedElements> add(Filter filter, List<byte[]> elements, SegmentCalls calls) {
    return add(filter, elements, calls, new AddedElements(elements));
  }

  /**
   * Likewise, noting what became of elements as it is known: a failure may come after part of it.
   */
  Uni<AddedElements> add(
      Filter filter, List<byte[]> elements, SegmentCalls calls, AddedElements added) {
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

    private Uni<?> add() {
      if (!SegmentCopies.canBeJournaled(filter)) {
        return BatchCalls.all(
            filter, Placement.of(filter.parameters(), elements), this::addUnlessFull);
      }
      var hashed = HashedElements.of(filter.parameters(), elements);
      return Parts.bySegment(hashed, segment -> addTo(segment, hashed));
    }

    private Uni<AddedElements> addTo(int segment, HashedElements hashed) {
      if (isOver()) {
        return Uni.createFrom().item(added);
      }
      if (!journals.isDue(filter, segment, hashed.count(segment))) {
        return addBits(hashed.batches(segment));
      }
      var work = hashed.work(segment, Kind.ADD, calls.durability());
      return calls
          .on(segment, () -> journals.send(filter, segment, work))
          .chain(
              result -> {
                if (result.isEmpty()) {
                  return addBits(hashed.batches(segment));
                }
                added.apply(hashed, segment, first, result.get().flags());
                note(result.get(), work.count());
                return Uni.createFrom().item(added);
              });
    }

    private void note(SegmentResult result, int sent) {
      added.noteNext(result.next(), result.isConfirmed());
      added.noteReplicas(result.replicas());
      if (result.flags().length < sent) {
        added.refuse();
      }
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
          : journals
              .bitByBit(filter, batch, Kind.ADD, calls)
              .invoke(
                  result -> {
                    for (var i = 0; i < result.flags().length; i++) {
                      added.apply(first + batch.elements()[i], result.flags()[i]);
                    }
                    note(result, batch.elements().length);
                  })
              .replaceWith(added);
    }

    private boolean isOver() {
      return added.isFull() && filter.shape().segments() == 1;
    }
  }
}
