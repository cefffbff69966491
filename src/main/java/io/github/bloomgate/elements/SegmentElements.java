package io.github.bloomgate.elements;

import io.github.bloomgate.elements.SegmentWork.Kind;
import io.github.bloomgate.filters.FilterGrowth;
import io.github.bloomgate.filters.SegmentCalls;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.SegmentBatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Adds elements to the segments of one generation, removes or tests them, by the cheaper of two
 * ways for each segment: bit by bit in Redis, or with a copy of it, see {@link SegmentJournals}.
 * The outcome is the same.
 */
@ApplicationScoped
public class SegmentElements {

  /** Elements of a test that are looked for in all layers at once. */
  private static final int MAX_AT_ONCE = 128;

  private final SegmentJournals journals;
  private final FilterGrowth growth;
  private final MemoryBudget memory;
  private final Counter inCopies;
  private final Counter inRedis;

  public SegmentElements(
      SegmentJournals journals, FilterGrowth growth, MemoryBudget memory, MeterRegistry metrics) {
    this.journals = journals;
    this.growth = growth;
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
              () -> new Part(kind, now, 0, null, chunks.first(chunk), calls, results).work(some));
        });
  }

  /**
   * Elements that follow each other, few enough to be hashed at once, and one layer.
   *
   * <p>A segment of a filter that grows takes elements until it is full, and from then on none. So
   * an element is in a layer only if its segments of all layers before were full when it was added,
   * and still are. An add goes to the first layer that takes or knows the element: as a segment
   * that has refused it never takes it later, it is new in one of them, once, whoever adds it at
   * the same time. A test ends at the first layer that knows it, or at the last one.
   */
  private final class Part {

    private final Kind kind;
    private final Filter filter;
    private final int layer;

    /** Where the elements are among those of the request; null if they follow each other. */
    private final int[] indexes;

    private final int first;
    private final SegmentCalls calls;
    private final ElementResults results;

    /** Those for which a further layer is to be asked. */
    private final BitSet open = new BitSet();

    private Part(
        Kind kind,
        Filter filter,
        int layer,
        int[] indexes,
        int first,
        SegmentCalls calls,
        ElementResults results) {
      this.kind = kind;
      this.filter = filter;
      this.layer = layer;
      this.indexes = indexes;
      this.first = first;
      this.calls = calls;
      this.results = results;
    }

    private Uni<Void> work(List<byte[]> elements) {
      return kind == Kind.TEST && elements.size() <= MAX_AT_ONCE && !isLast()
          ? testAllLayers(elements)
          : workOnLayer(elements);
    }

    /**
     * Asks all layers at once, which on a single Redis is one call. Few elements are hashed for
     * each in less time than an answer takes.
     */
    private Uni<Void> testAllLayers(List<byte[]> elements) {
      var last = filter.layers().size() - 1;
      var layers =
          IntStream.rangeClosed(layer, last)
              .mapToObj(i -> new Part(kind, filter, i, indexes, first, calls, results))
              .toList();
      return Uni.join()
          .all(layers.stream().map(part -> part.ask(elements)).toList())
          .andCollectFailures()
          .onFailure(CompositeException.class)
          .transform(failures -> failures.getCauses().get(0))
          .chain(
              () -> {
                var part = layers.get(last - layer);
                IntStream.range(0, elements.size())
                    .filter(i -> results.isSettled(index(i)))
                    .forEach(part.open::clear);
                return part.goOn(elements);
              });
    }

    private Uni<Void> ask(List<byte[]> elements) {
      var hashed = HashedElements.of(filter.parameters(), filter.layers().get(layer), elements);
      return ElementChunks.bySegment(hashed, segment -> workOn(segment, hashed));
    }

    private Uni<Void> workOnLayer(List<byte[]> elements) {
      return filter.grows() ? ask(elements).chain(() -> goOn(elements)) : ask(elements);
    }

    private Uni<Void> goOn(List<byte[]> elements) {
      if (open.isEmpty()) {
        return Uni.createFrom().voidItem();
      }
      return withLayerBehind()
          .chain(
              grown -> {
                if (grown.isEmpty()) {
                  results.noteFull();
                  return Uni.createFrom().voidItem();
                }
                results.use(grown.get());
                var places = open.stream().toArray();
                var left = IntStream.of(places).mapToObj(elements::get).toList();
                var indexesLeft = IntStream.of(places).map(this::index).toArray();
                return new Part(kind, grown.get(), layer + 1, indexesLeft, 0, calls, results)
                    .work(left);
              });
    }

    private Uni<Optional<Filter>> withLayerBehind() {
      if (!isLast()) {
        return Uni.createFrom().item(Optional.of(filter));
      }
      // Another instance may have opened one, and added there what is looked for.
      return kind == Kind.ADD ? growth.grow(filter) : growth.lookForMore(filter);
    }

    private boolean isLast() {
      return layer + 1 == filter.layers().size();
    }

    private int index(int place) {
      return indexes == null ? first + place : indexes[place];
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

    private void note(SegmentResult result, int sent, IntUnaryOperator place, Counter where) {
      results.note(result, sent, i -> index(place.applyAsInt(i)));
      if (filter.grows()) {
        noteOpen(result, place);
      }
      if (kind == Kind.TEST && layer == 0) {
        where.increment(result.flags().length);
      }
    }

    private void noteOpen(SegmentResult result, IntUnaryOperator place) {
      var isLast = isLast();
      synchronized (open) {
        for (var i = 0; i < result.flags().length; i++) {
          if (results.isOpen(result, i, isLast)) {
            open.set(place.applyAsInt(i));
          }
        }
      }
    }

    /**
     * What comes after the first element refused is refused as well, where elements have an order.
     */
    private boolean isOver() {
      return results.isFull() && filter.segments() == 1;
    }
  }
}
