package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementPart.Answer;
import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Removes elements from filters that count, and counts how often they were added. */
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
            .description("Number of elements that were to be removed.")
            .withRegistry(metrics);
    this.removed = removals.withTag("result", "removed");
    this.notRemoved = removals.withTag("result", "absent");
    var counts =
        Counter.builder("bloom.elements.counted")
            .description("Number of elements of which the count was asked for.")
            .withRegistry(metrics);
    this.present = counts.withTag("result", "maybe");
    this.absent = counts.withTag("result", "absent");
  }

  /**
   * Removes elements from the live generation of a filter. The one that a rebuild loads keeps what
   * it has: nobody knows whether an element was loaded there, and to remove what is not there could
   * take away others.
   *
   * @return for each element, in order: true if it was known, and one add of it is taken back;
   *     false if it certainly was not there, and nothing was changed
   * @throws BloomException INVALID_REQUEST if the filter does not count; STORE_OUTCOME_UNKNOWN also
   *     if some were removed before anything failed: the detail says how many; all of {@link
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
   * Counts how often elements were added at most, less how often they were removed.
   *
   * @return for each, in order, from 0, certainly not there, to 15, which stands for more too
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
   * Fails as the others would on a filter that cannot be used; for a stream, before it is read. On
   * a thread that may wait.
   *
   * @throws BloomException INVALID_REQUEST, and what reading a filter may fail with
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
