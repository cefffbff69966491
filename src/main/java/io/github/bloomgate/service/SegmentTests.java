package io.github.bloomgate.service;

import io.github.bloomgate.filter.Durability;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.journal.SegmentCopies;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.service.SegmentWork.Kind;
import io.github.bloomgate.store.SegmentBatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Tests elements against the segments of one generation: with copies of those that are used often,
 * see {@link SegmentJournals}, else bit by bit in Redis. Both tell what holds at a moment between
 * question and answer.
 */
@ApplicationScoped
class SegmentTests {

  private final SegmentJournals journals;
  private final MemoryBudget memory;
  private final Counter inCopies;
  private final Counter inRedis;

  SegmentTests(SegmentJournals journals, MemoryBudget memory, MeterRegistry metrics) {
    this.journals = journals;
    this.memory = memory;
    this.inCopies = tested(metrics, "copy");
    this.inRedis = tested(metrics, "redis");
  }

  private static Counter tested(MeterRegistry metrics, String where) {
    return Counter.builder("bloom.copies.tests")
        .description("Elements tested with a copy of their segment, or in Redis")
        .tag("decided", where)
        .register(metrics);
  }

  /**
   * Tests elements.
   *
   * @param calls how each script call is made
   */
  Uni<Tested> test(Filter filter, List<byte[]> elements, SegmentCalls calls) {
    var tested = new Tested(new boolean[elements.size()]);
    var parts = Parts.of(filter, elements);
    return parts
        .inTurn(
            part -> {
              var some = parts.elements(part);
              return memory.holding(
                  MemoryBudget.Use.WORK,
                  Parts.memory(filter, some.size()),
                  () -> new Part(filter, parts.first(part), calls, tested).test(some));
            })
        .replaceWith(tested);
  }

  /** What is known of the elements of a request so far. */
  static final class Tested {
    private final boolean[] maybe;
    private volatile boolean isConfirmed = true;

    private Tested(boolean[] maybe) {
      this.maybe = maybe;
    }

    /** For each element, in order, whether it might be contained. */
    boolean[] maybe() {
      return maybe;
    }

    /** Whether each answer is of a moment at which the filter was the live one. */
    boolean isConfirmed() {
      return isConfirmed;
    }
  }

  /** Elements that follow each other, few enough to be hashed at once. */
  private final class Part {

    private final Filter filter;
    private final int first;
    private final SegmentCalls calls;
    private final Tested tested;

    private Part(Filter filter, int first, SegmentCalls calls, Tested tested) {
      this.filter = filter;
      this.first = first;
      this.calls = calls;
      this.tested = tested;
    }

    private Uni<?> test(List<byte[]> elements) {
      if (!SegmentCopies.canBeJournaled(filter)) {
        return testAll(Placement.of(filter.parameters(), elements));
      }
      var hashed = HashedElements.of(filter.parameters(), elements);
      return Parts.bySegment(hashed, segment -> testIn(segment, hashed));
    }

    private Uni<Tested> testAll(List<SegmentBatch> batches) {
      return batches.isEmpty()
          ? Uni.createFrom().item(tested)
          : BatchCalls.all(filter, batches, this::testBits).replaceWith(tested);
    }

    private Uni<Tested> testIn(int segment, HashedElements hashed) {
      if (!journals.isDue(filter, segment, hashed.count(segment))) {
        return testAll(hashed.batches(segment));
      }
      return calls
          .on(
              segment,
              () ->
                  journals.send(
                      filter, segment, hashed.work(segment, Kind.TEST, Durability.PRIMARY)))
          .chain(
              result -> {
                if (result.isEmpty()) {
                  return testAll(hashed.batches(segment));
                }
                var flags = result.get().flags();
                for (var i = 0; i < flags.length; i++) {
                  tested.maybe[first + hashed.indexOf(segment, i)] = flags[i];
                }
                inCopies.increment(flags.length);
                note(result.get());
                return Uni.createFrom().item(tested);
              });
    }

    private void note(SegmentResult result) {
      if (!result.isConfirmed()) {
        tested.isConfirmed = false;
      }
    }

    private Uni<Tested> testBits(SegmentBatch batch) {
      return journals
          .bitByBit(filter, batch, Kind.TEST, calls)
          .invoke(
              result -> {
                for (var i = 0; i < result.flags().length; i++) {
                  tested.maybe[first + batch.elements()[i]] = result.flags()[i];
                }
                inRedis.increment(result.flags().length);
                note(result);
              })
          .replaceWith(tested);
    }
  }
}
