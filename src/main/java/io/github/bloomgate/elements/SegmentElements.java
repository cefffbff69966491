package io.github.bloomgate.elements;

import io.github.bloomgate.elements.SegmentWork.Kind;
import io.github.bloomgate.filters.FilterGrowth;
import io.github.bloomgate.filters.SegmentCalls;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Adds elements to the segments of one generation, removes or tests them, by the cheaper of two
 * ways for each segment: bit by bit in Redis, or with a copy of it, see {@link SegmentJournals}.
 * The outcome is the same.
 */
@ApplicationScoped
public class SegmentElements {

  private final LayerPart.Ways ways;
  private final FilterGrowth growth;
  private final MemoryBudget memory;

  public SegmentElements(
      SegmentJournals journals, FilterGrowth growth, MemoryBudget memory, MeterRegistry metrics) {
    this.growth = growth;
    this.memory = memory;
    this.ways =
        new LayerPart.Ways(journals, growth, tested(metrics, "copy"), tested(metrics, "redis"));
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
   * @param added notes what became of elements as it is known: a failure may come after part of it
   */
  Uni<AddedElements> add(
      Filter filter, List<byte[]> elements, SegmentCalls calls, AddedElements added) {
    return work(Kind.ADD, filter, elements, calls, added)
        .chain(() -> outlast(added, calls.durability()))
        .replaceWith(added);
  }

  /**
   * An element in a further layer is found only if the filter is known to have that layer: so
   * replicas must have that too. Its segment may be on another node of a cluster.
   */
  private Uni<Void> outlast(AddedElements added, Durability durability) {
    return durability == Durability.REPLICATED && added.filter().layers().size() > 1
        ? growth.replicate(added.filter())
        : Uni.createFrom().voidItem();
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

  /**
   * Does what is asked with elements, in order within each segment.
   *
   * @param results notes what became of elements as it is known: a failure may come after part of
   *     it
   */
  Uni<Void> work(
      Kind kind, Filter filter, List<byte[]> elements, SegmentCalls calls, ElementResults results) {
    results.use(filter);
    var chunks = ElementChunks.of(filter, elements);
    return chunks.inTurn(
        chunk -> {
          var some = chunks.elements(chunk);
          var now = results.filter();
          return memory.holding(
              MemoryBudget.Use.WORK,
              ElementChunks.memory(now, some.size()),
              () ->
                  LayerPart.first(ways, kind, now, some, chunks.first(chunk), calls, results)
                      .work());
        });
  }
}
