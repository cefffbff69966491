package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.segment.Answer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Removes and counts elements of filters with counters. */
@ApplicationScoped
public class CounterService {

  private final LiveFilters live;
  private final ElementCalls calls;
  private final Counter removed;
  private final Counter notRemoved;
  private final Counter present;
  private final Counter absent;

  public CounterService(LiveFilters live, ElementCalls calls, MeterRegistry metrics) {
    this.live = live;
    this.calls = calls;
    var removals =
        Counter.builder("bloom.elements.removed")
            .description("Number of elements in remove requests.")
            .withRegistry(metrics);
    this.removed = removals.withTag("result", "removed");
    this.notRemoved = removals.withTag("result", "absent");
    var counts =
        Counter.builder("bloom.elements.counted")
            .description("Number of elements in count requests.")
            .withRegistry(metrics);
    this.present = counts.withTag("result", "maybe");
    this.absent = counts.withTag("result", "absent");
  }

  /**
   * Removes elements from the live generation of a filter, but not from a next generation: it is
   * unknown whether they were loaded there, and removing an absent element could remove others.
   *
   * @return for each element, in order: true if it was known and one add was undone; false if it
   *     was certainly absent
   * @throws BloomException INVALID_REQUEST if the filter does not count; STORE_OUTCOME_UNKNOWN also
   *     if some elements were removed before a failure: the detail has their number; all of {@link
   *     ElementCalls#send}
   */
  public Uni<Answers> remove(FilterName name, List<byte[]> elements, Durability durability) {
    return calls
        .send(Kind.REMOVE, name, elements, durability)
        .map(request -> Answers.of(request.live().flags(Answer.CHANGED), request.replicas()))
        .invoke(
            answers -> {
              removed.increment(answers.trueCount());
              notRemoved.increment(answers.flags().length - answers.trueCount());
            });
  }

  /**
   * Counts elements: upper bounds of adds minus removals.
   *
   * @return for each, in order, from 0, certainly absent, to 15, meaning 15 or more
   * @throws BloomException INVALID_REQUEST if the filter does not count; all of {@link
   *     ElementCalls#send}
   */
  public Uni<byte[]> count(FilterName name, List<byte[]> elements) {
    return calls
        .send(Kind.COUNT, name, elements, Durability.PRIMARY)
        .map(request -> request.live().times())
        .invoke(this::note);
  }

  private void note(byte[] counts) {
    var zeros = 0;
    for (var count : counts) {
      zeros += count == 0 ? 1 : 0;
    }
    present.increment(counts.length - zeros);
    absent.increment(zeros);
  }

  /**
   * Checks that the filter can be used, before a stream is read. Blocks.
   *
   * @throws BloomException INVALID_REQUEST and the failures of reading a filter
   */
  public void requireUsable(FilterName name) {
    requireCounting(live.get(name).filter());
  }

  static void requireCounting(Filter filter) {
    if (!filter.isCounting()) {
      throw FilterErrors.notCounting(filter.name());
    }
  }
}
