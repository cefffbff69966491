package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.segment.Answer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds and tests elements; removes and counts them in filters with counters. Each element is
 * atomic; a request of many elements is not, but is answered only when all are done.
 */
@ApplicationScoped
public class ElementService {

  public static final int MAX_ELEMENTS = 10_000;

  public static final int MAX_FILTERS = 100;

  /** The most pairs of filter and element of one request. */
  public static final int MAX_PAIRS = 100_000;

  public static final int MAX_ELEMENT_BYTES = ElementEncoding.MAX_ELEMENT_BYTES;

  private final LiveFilters live;
  private final ElementCalls calls;
  private final Tally added;
  private final Tally tested;
  private final Tally removed;
  private final Tally counted;

  public ElementService(LiveFilters live, ElementCalls calls, MeterRegistry metrics) {
    this.live = live;
    this.calls = calls;
    added = new Tally(metrics, "bloom.elements.added", "Number of elements added.", "new", "known");
    tested =
        new Tally(
            metrics, "bloom.elements.tested", "Number of elements tested.", "maybe", "absent");
    removed =
        new Tally(
            metrics,
            "bloom.elements.removed",
            "Number of elements in remove requests.",
            "removed",
            "absent");
    counted =
        new Tally(
            metrics,
            "bloom.elements.counted",
            "Number of elements in count requests.",
            "maybe",
            "absent");
  }

  private record Tally(Counter whenTrue, Counter whenFalse) {

    private Tally(
        MeterRegistry metrics, String name, String description, String whenTrue, String whenFalse) {
      this(
          counter(metrics, name, description, whenTrue),
          counter(metrics, name, description, whenFalse));
    }

    private static Counter counter(
        MeterRegistry metrics, String name, String description, String result) {
      return Counter.builder(name).description(description).tag("result", result).register(metrics);
    }

    /** Counts the elements of a request, which are true with this answer. */
    private void count(ElementRequest request, Answer answer) {
      var some = request.live().count(answer);
      whenTrue.increment(some);
      whenFalse.increment(request.live().count() - some);
    }
  }

  /**
   * Adds elements to a filter and to its next generation.
   *
   * @return for each element, in order: true if it is certainly new (it changed a bit), false if it
   *     was probably there
   * @throws BloomException FILTER_FULL if the filter rejects new elements at capacity: the detail
   *     has the number of elements applied; STORE_OUTCOME_UNKNOWN if some may have been applied;
   *     all of {@link ElementCalls#send}
   */
  public Uni<Answers> add(FilterName name, List<byte[]> elements) {
    return add(name, elements, Durability.PRIMARY);
  }

  /**
   * Adds elements with a durability.
   *
   * @param durability also fails with NOT_REPLICATED if it includes replicas
   */
  public Uni<Answers> add(FilterName name, List<byte[]> elements, Durability durability) {
    return send(name, elements, durability).map(request -> request.answers(Answer.CHANGED));
  }

  /** Adds elements and returns the request, which has the content they were added to. */
  Uni<ElementRequest> send(FilterName name, List<byte[]> elements, Durability durability) {
    return calls
        .send(Kind.ADD, name, elements, durability)
        .invoke(AddedElements::requireAll)
        .invoke(request -> added.count(request, Answer.CHANGED));
  }

  /**
   * Tests elements against a filter.
   *
   * @return for each element, in order: true if the filter might contain it, false if it certainly
   *     does not
   * @throws BloomException all of {@link ElementCalls#send}
   */
  public Uni<Answers> test(FilterName name, List<byte[]> elements) {
    return calls
        .send(Kind.TEST, name, elements, Durability.PRIMARY)
        .invoke(request -> tested.count(request, Answer.KNOWN))
        .map(request -> request.answers(Answer.KNOWN));
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
        .invoke(request -> removed.count(request, Answer.CHANGED))
        .map(request -> request.answers(Answer.CHANGED));
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
        .invoke(request -> counted.count(request, Answer.KNOWN))
        .map(request -> request.live().times());
  }

  /**
   * Adds elements to several filters. No element is added if a filter cannot be read.
   *
   * @return for each filter, in order, the same as {@link #add}
   * @throws BloomException all of {@link #add}; the details name the filters that have all elements
   */
  public Uni<Map<FilterName, Answers>> addToAll(
      List<FilterName> names, List<byte[]> elements, Durability durability) {
    return calls.sendAll(Kind.ADD, names, elements, durability, false).map(this::added);
  }

  private Map<FilterName, Answers> added(List<ElementRequest> requests) {
    var answers = new LinkedHashMap<FilterName, Answers>();
    BloomException failure = null;
    for (var request : requests) {
      try {
        request.throwFailure();
        AddedElements.requireAll(request);
        answers.put(request.name(), request.answers(Answer.CHANGED));
        added.count(request, Answer.CHANGED);
      } catch (BloomException failed) {
        // The others are still counted, and named with the first failure.
        failure = failure == null ? failed : failure;
      }
    }
    if (failure != null) {
      throw failure.withOutcome(
          "%d of the %d filters have all elements; addedTo names them. Repeat the request for the others."
              .formatted(answers.size(), requests.size()),
          new ProblemDetails.AddedTo(answers.keySet().stream().map(FilterName::value).toList()));
    }
    return answers;
  }

  /**
   * Tests elements against several filters.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   * @return for each filter, in order, the same as {@link #test}
   * @throws BloomException all of {@link #test}
   */
  public Uni<Map<FilterName, Answers>> testAll(
      List<FilterName> names, List<byte[]> elements, boolean mayBeMissing) {
    return calls
        .sendAll(Kind.TEST, names, elements, Durability.PRIMARY, mayBeMissing)
        .map(requests -> tested(requests, mayBeMissing));
  }

  private Map<FilterName, Answers> tested(List<ElementRequest> requests, boolean mayBeMissing) {
    var answers = new LinkedHashMap<FilterName, Answers>();
    for (var request : requests) {
      if (!(mayBeMissing && ErrorCode.FILTER_NOT_FOUND.isOf(request.failure()))) {
        request.throwFailure();
        answers.put(request.name(), request.answers(Answer.KNOWN));
      }
    }
    requests.stream()
        .filter(request -> answers.containsKey(request.name()))
        .forEach(request -> tested.count(request, Answer.KNOWN));
    return answers;
  }

  /**
   * Finds a filter from which elements can be removed, before a stream is read. Blocks.
   *
   * @throws BloomException INVALID_REQUEST and the failures of reading a filter
   */
  public Filter counting(FilterName name) {
    var filter = live.get(name).live();
    if (!filter.isCounting()) {
      throw FilterErrors.notCounting(name);
    }
    return filter;
  }
}
