package io.github.bloomgate.elements;

import io.github.bloomgate.elements.SegmentWork.Kind;
import io.github.bloomgate.filters.SegmentCalls;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.SegmentBatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Adds elements to the segments of one generation, or tests them, by the cheaper of two ways for
 * each segment: bit by bit in Redis, or with a copy of it, see {@link SegmentJournals}. The outcome
 * is the same.
 */
@ApplicationScoped
public class SegmentElements {

  private final SegmentJournals journals;
  private final MemoryBudget memory;
  private final Counter inCopies;
  private final Counter inRedis;

  public SegmentElements(SegmentJournals journals, MemoryBudget memory, MeterRegistry metrics) {
    this.journals = journals;
    this.memory = memory;
    this.inCopies = tested(metrics, "copy");
    this.inRedis = tested(metrics, "redis");
  }

  private static Counter tested(MeterRegistry metrics, String where) {
    return Counter.builder("bloom.copies.tests")
        .description("Number of elements tested with a copy of their segment, or in Redis.")
        .tag("decided", where)
        .register(metrics);
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
    return work(Kind.ADD, filter, elements, calls, added).replaceWith(added);
  }

  /**
   * Tests elements. What is told holds at a moment between question and answer.
   *
   * @param calls how each script call is made
   */
  public Uni<TestedElements> test(Filter filter, List<byte[]> elements, SegmentCalls calls) {
    var tested = new TestedElements(elements.size());
    return work(Kind.TEST, filter, elements, calls, tested).replaceWith(tested);
  }

  private Uni<Void> work(
      Kind kind, Filter filter, List<byte[]> elements, SegmentCalls calls, ElementResults results) {
    var parts = ElementChunks.of(filter, elements);
    return parts.inTurn(
        part -> {
          var some = parts.elements(part);
          return memory.holding(
              MemoryBudget.Use.WORK,
              ElementChunks.memory(filter, some.size()),
              () -> new Part(kind, filter, parts.first(part), calls, results).work(some));
        });
  }

  /** Elements that follow each other, few enough to be hashed at once. */
  private final class Part {

    private final Kind kind;
    private final Filter filter;
    private final int first;
    private final SegmentCalls calls;
    private final ElementResults results;

    private Part(Kind kind, Filter filter, int first, SegmentCalls calls, ElementResults results) {
      this.kind = kind;
      this.filter = filter;
      this.first = first;
      this.calls = calls;
      this.results = results;
    }

    private Uni<Void> work(List<byte[]> elements) {
      var hashed = HashedElements.of(filter.parameters(), elements);
      return ElementChunks.bySegment(hashed, segment -> workOn(segment, hashed));
    }

    private Uni<Void> workOn(int segment, HashedElements hashed) {
      if (isOver()) {
        return Uni.createFrom().voidItem();
      }
      if (!journals.isDue(filter, segment, hashed.count(segment))) {
        return bitByBit(hashed.batches(segment));
      }
      var work = hashed.work(segment, kind, calls.durability());
      return calls
          .on(segment, () -> journals.send(filter, segment, work))
          .chain(
              result -> {
                if (result.isEmpty()) {
                  return bitByBit(hashed.batches(segment));
                }
                note(result.get(), work.count(), i -> hashed.indexOf(segment, i), inCopies);
                return Uni.createFrom().voidItem();
              });
    }

    private Uni<Void> bitByBit(List<SegmentBatch> batches) {
      return batches.size() == 1
          ? bitByBit(batches.get(0))
          : Multi.createFrom()
              .iterable(batches)
              .onItem()
              .transformToUniAndConcatenate(this::bitByBit)
              .onItem()
              .ignoreAsUni();
    }

    private Uni<Void> bitByBit(SegmentBatch batch) {
      return isOver()
          ? Uni.createFrom().voidItem()
          : journals
              .bitByBit(filter, batch, kind, calls)
              .invoke(
                  result ->
                      note(result, batch.elements().length, i -> batch.elements()[i], inRedis))
              .replaceWithVoid();
    }

    private void note(SegmentResult result, int sent, IntUnaryOperator index, Counter where) {
      results.note(result, sent, i -> first + index.applyAsInt(i));
      if (kind == Kind.TEST) {
        where.increment(result.flags().length);
      }
    }

    /**
     * What comes after the first element refused is refused as well, where elements have an order.
     */
    private boolean isOver() {
      return results.isFull() && filter.shape().segments() == 1;
    }
  }
}
