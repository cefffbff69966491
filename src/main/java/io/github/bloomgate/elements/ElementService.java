package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.MissingFilter;
import io.github.bloomgate.filters.MissingFilters;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.threads.Joined;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
  private final AgedTests aged;
  private final Watches watches;
  private final MissingFilters missing;
  private final Tally added;
  private final Tally tested;
  private final Tally removed;
  private final Tally counted;

  public ElementService(
      LiveFilters live,
      ElementCalls calls,
      AgedTests aged,
      Watches watches,
      MissingFilters missing,
      MeterRegistry metrics) {
    this.live = live;
    this.calls = calls;
    this.aged = aged;
    this.watches = watches;
    this.missing = missing;
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
    private void count(ElementRequest request, Verdict answer) {
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
   *     has the number of elements applied; STORE_OUTCOME_UNKNOWN if some may have been applied, in
   *     a counting filter also if some were applied before a failure: the detail then has their
   *     number; all of {@link ElementCalls#send}
   */
  public Uni<Flags> add(FilterName name, List<byte[]> elements) {
    return add(name, elements, Durability.PRIMARY, Optional.empty(), Client.SERVICE);
  }

  /**
   * Adds elements with a durability, for a client.
   *
   * @param durability also fails with NOT_REPLICATED if it includes replicas
   * @param ifMissing how to create the filter if it does not exist; empty to fail. Also fails as
   *     {@link MissingFilters#createAll}
   */
  public Uni<Flags> add(
      FilterName name,
      List<byte[]> elements,
      Durability durability,
      Optional<MissingFilter> ifMissing,
      Client client) {
    return send(name, elements, durability, ifMissing, client)
        .map(request -> request.answers(Verdict.CHANGED));
  }

  /** Adds elements and returns the request, which has the content they were added to. */
  Uni<ElementRequest> send(
      FilterName name,
      List<byte[]> elements,
      Durability durability,
      Optional<MissingFilter> ifMissing,
      Client client) {
    return addOrCreate(List.of(name), elements, durability, ifMissing, client, 1)
        .map(ElementCalls::only)
        .invoke(AddedElements::requireAll)
        .invoke(request -> added.count(request, Verdict.CHANGED));
  }

  private Uni<List<ElementRequest>> addOrCreate(
      List<FilterName> names,
      List<byte[]> elements,
      Durability durability,
      Optional<MissingFilter> ifMissing,
      Client client,
      int attempt) {
    var sent = calls.send(Kind.ADD, names, elements, durability, false, client);
    // Another client may delete a filter before the add or during it.
    return ifMissing.isEmpty() || attempt > Attempts.MAX
        ? sent
        : sent.chain(
                requests -> again(requests, elements, durability, ifMissing, client, attempt + 1))
            .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
            .recoverWithUni(
                () ->
                    create(names, elements, ifMissing.get(), client)
                        .chain(
                            () ->
                                addOrCreate(
                                    names, elements, durability, ifMissing, client, attempt + 1)));
  }

  /** Creates filters again that were deleted during the requests. */
  private Uni<List<ElementRequest>> again(
      List<ElementRequest> requests,
      List<byte[]> elements,
      Durability durability,
      Optional<MissingFilter> ifMissing,
      Client client,
      int attempt) {
    if (requests.stream().noneMatch(ElementService::isGone)) {
      return Uni.createFrom().item(requests);
    }
    return Joined.all(
        requests.stream()
            .map(
                request ->
                    isGone(request)
                        ? addOrCreate(
                                List.of(request.name()),
                                elements,
                                durability,
                                ifMissing,
                                client,
                                attempt)
                            .map(created -> created.get(0))
                            .onFailure()
                            .invoke(failure -> request.end(RoundFailures.known(failure)))
                            .onFailure()
                            .recoverWithItem(request)
                        : Uni.createFrom().item(request))
            .toList());
  }

  private static boolean isGone(ElementRequest request) {
    return ErrorCode.FILTER_NOT_FOUND.isOf(request.failure());
  }

  /** Creates those filters that are missing, if they will be able to take the elements. */
  private Uni<Void> create(
      List<FilterName> names, List<byte[]> elements, MissingFilter like, Client client) {
    return missing
        .foundOrPlanned(names, like, client)
        .chain(filters -> calls.check(elements, filters, client))
        .chain(() -> missing.createAll(names, like, client));
  }

  /**
   * Tests elements against a filter.
   *
   * @return for each element, in order: true if the filter might contain it, false if it certainly
   *     does not
   * @throws BloomException all of {@link ElementCalls#send}
   */
  public Uni<Flags> test(FilterName name, List<byte[]> elements, Client client) {
    return calls
        .send(Kind.TEST, List.of(name), elements, Durability.PRIMARY, false, client)
        .map(ElementCalls::only)
        .invoke(request -> tested.count(request, Verdict.KNOWN))
        .map(request -> request.answers(Verdict.KNOWN));
  }

  /**
   * Tests elements against a filter, with answers that may have an age.
   *
   * @param maxAge the most that it may be; empty for answers by Redis
   * @return the same as {@link #testAll(List, List, boolean, Optional, Client)} for one filter
   */
  public Uni<Flags> test(
      FilterName name, List<byte[]> elements, Optional<Duration> maxAge, Client client) {
    return maxAge.isEmpty()
        ? test(name, elements, client)
        : testAll(List.of(name), elements, false, maxAge, client).map(answers -> answers.get(name));
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
  public Uni<Flags> remove(
      FilterName name, List<byte[]> elements, Durability durability, Client client) {
    return calls
        .send(Kind.REMOVE, List.of(name), elements, durability, false, client)
        .map(ElementCalls::only)
        .invoke(request -> removed.count(request, Verdict.CHANGED))
        .map(request -> request.answers(Verdict.CHANGED));
  }

  /**
   * Counts elements: upper bounds of adds minus removals.
   *
   * @return for each, in order, from 0, certainly absent, to 15, meaning 15 or more
   * @throws BloomException INVALID_REQUEST if the filter does not count; all of {@link
   *     ElementCalls#send}
   */
  public Uni<byte[]> count(FilterName name, List<byte[]> elements, Client client) {
    return calls
        .send(Kind.COUNT, List.of(name), elements, Durability.PRIMARY, false, client)
        .map(ElementCalls::only)
        .invoke(request -> counted.count(request, Verdict.KNOWN))
        .map(request -> request.live().times());
  }

  /**
   * Adds elements to several filters. No element is added if a filter cannot be read or created.
   *
   * @param ifMissing how to create filters that do not exist; empty to fail
   * @return for each filter, in order, the same as {@link #add}
   * @throws BloomException all of {@link #add}; the details name the filters that have all
   *     elements. STORE_OUTCOME_UNKNOWN also if a counting filter has some, and another failed
   */
  public Uni<Map<FilterName, Flags>> addToAll(
      List<FilterName> names,
      List<byte[]> elements,
      Durability durability,
      Optional<MissingFilter> ifMissing,
      Client client) {
    return addOrCreate(names, elements, durability, ifMissing, client, 1).map(this::added);
  }

  private Map<FilterName, Flags> added(List<ElementRequest> requests) {
    var answers = new LinkedHashMap<FilterName, Flags>();
    BloomException failure = null;
    for (var request : requests) {
      try {
        request.throwFailure();
        AddedElements.requireAll(request);
        answers.put(request.name(), request.answers(Verdict.CHANGED));
        added.count(request, Verdict.CHANGED);
      } catch (BloomException failed) {
        // The others are still counted, and named with the first failure.
        failure = failure == null ? failed : failure;
      }
    }
    if (failure != null) {
      throw AddedElements.inPart(requests, answers.keySet(), failure);
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
  public Uni<Map<FilterName, Flags>> testAll(
      List<FilterName> names, List<byte[]> elements, boolean mayBeMissing, Client client) {
    return calls
        .send(Kind.TEST, names, elements, Durability.PRIMARY, mayBeMissing, client)
        .map(requests -> tested(requests, mayBeMissing));
  }

  /**
   * Tests elements against several filters, with answers that may have an age: they lack no element
   * whose add was acknowledged more than the age ago.
   *
   * @param maxAge the most that it may be; empty for answers by Redis
   * @return the same as {@link #testAll(List, List, boolean, Client)}. With a {@code maxAge}, all
   *     flags have the age of the oldest answer
   * @throws BloomException all of {@link #test}; STORE_UNAVAILABLE if Redis cannot be reached and
   *     the copies are older. INVALID_REQUEST if a filter has the bits of another library,
   *     LIMIT_EXCEEDED if its copies do not fit into the memory for them
   */
  public Uni<Map<FilterName, Flags>> testAll(
      List<FilterName> names,
      List<byte[]> elements,
      boolean mayBeMissing,
      Optional<Duration> maxAge,
      Client client) {
    if (maxAge.isEmpty()) {
      return testAll(names, elements, mayBeMissing, client);
    }
    return aged.send(names, elements, maxAge.get(), mayBeMissing, client)
        .map(
            answers -> {
              var flags = tested(answers.requests(), mayBeMissing);
              flags.replaceAll((name, some) -> some.withAge(answers.age()));
              return flags;
            })
        .onFailure(ErrorCode.STORE_UNAVAILABLE::isOf)
        .transform(failure -> aged.unavailable(names, maxAge.get(), failure));
  }

  private Map<FilterName, Flags> tested(List<ElementRequest> requests, boolean mayBeMissing) {
    var answers = new LinkedHashMap<FilterName, Flags>();
    for (var request : requests) {
      if (!(mayBeMissing && ErrorCode.FILTER_NOT_FOUND.isOf(request.failure()))) {
        request.throwFailure();
        answers.put(request.name(), request.answers(Verdict.KNOWN));
      }
    }
    requests.stream()
        .filter(request -> answers.containsKey(request.name()))
        .forEach(request -> tested.count(request, Verdict.KNOWN));
    return answers;
  }

  /**
   * Finds a filter before a stream tests it. Blocks.
   *
   * @param maxAge if present, a watched filter is not read again
   * @throws BloomException the failures of reading a filter
   */
  public Generation tested(FilterName name, Optional<Duration> maxAge) {
    return maxAge
        .flatMap(ignored -> watches.find(List.of(name)))
        .map(found -> found.get(0).live())
        .orElseGet(() -> live.get(name).live());
  }

  /**
   * Finds a filter from which elements can be removed, before a stream is read. Blocks.
   *
   * @throws BloomException INVALID_REQUEST and the failures of reading a filter
   */
  public Generation counting(FilterName name) {
    var filter = live.get(name).live();
    if (!filter.isCounting()) {
      throw FilterErrors.notCounting(name);
    }
    return filter;
  }
}
