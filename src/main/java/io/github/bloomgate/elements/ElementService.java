package io.github.bloomgate.elements;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.store.StoredFilter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Adds and tests elements. An element is decided by one script on one segment, and so atomically; a
 * request of many elements is not one unit to others, but is answered only when all of it is done.
 */
@ApplicationScoped
public class ElementService {

  /** The most elements of one request. */
  public static final int MAX_ELEMENTS = 10_000;

  /** The most bytes of one element. */
  public static final int MAX_ELEMENT_BYTES = ElementEncoding.MAX_ELEMENT_BYTES;

  private final LiveFilters live;
  private final SegmentElements segments;
  private final NextGenerations nextGenerations;
  private final Counter added;
  private final Counter known;
  private final Counter present;
  private final Counter absent;

  public ElementService(
      LiveFilters live,
      SegmentElements segments,
      NextGenerations nextGenerations,
      MeterRegistry metrics) {
    this.live = live;
    this.segments = segments;
    this.nextGenerations = nextGenerations;
    this.added = elements(metrics, "bloom.elements.added", "Number of elements added.", "new");
    this.known = elements(metrics, "bloom.elements.added", "Number of elements added.", "known");
    this.present =
        elements(metrics, "bloom.elements.tested", "Number of elements tested.", "maybe");
    this.absent =
        elements(metrics, "bloom.elements.tested", "Number of elements tested.", "absent");
  }

  private static Counter elements(
      MeterRegistry metrics, String name, String description, String result) {
    return Counter.builder(name).description(description).tag("result", result).register(metrics);
  }

  /**
   * Adds elements to a filter, and to the generation that a rebuild loads for it: once this is
   * answered they are in both.
   *
   * @return for each element, in order: true if it is certainly new (it changed a bit), false if it
   *     was probably there
   * @throws BloomException FILTER_FULL if the filter rejects new elements beyond its n: the detail
   *     says how many elements were applied; STORE_OUTCOME_UNKNOWN if some may have been; all of
   *     {@link LiveFilters#useSegments}
   */
  public Uni<Answers> add(FilterName name, List<byte[]> elements) {
    return add(name, elements, Durability.PRIMARY);
  }

  /**
   * Likewise.
   *
   * @param durability what they must have reached before this is answered; fails with
   *     NOT_REPLICATED too, if that is more than the primary
   */
  public Uni<Answers> add(FilterName name, List<byte[]> elements, Durability durability) {
    return place(name, elements, durability).map(Placed::answers).invoke(this::countAdded);
  }

  /** Likewise, and tells where they are; counts nothing. */
  Uni<Placed> place(FilterName name, List<byte[]> elements, Durability durability) {
    var attempts = new Attempts(elements);
    return live.use(name, filter -> addTo(filter, attempts, durability));
  }

  /** Counts the answers of {@link #place} to elements that a client has sent. */
  void countAdded(Answers answers) {
    count(answers, added, known);
  }

  /** Where elements that are added now come to. */
  Uni<Contents> contents(FilterName name) {
    return live.find(name)
        .map(StoredFilter::filter)
        .map(filter -> new Contents(filter.generation(), filter.next()));
  }

  /**
   * Tests elements against a filter.
   *
   * @return for each element, in order: true if the filter might contain it, false if it certainly
   *     does not
   * @throws BloomException all of {@link LiveFilters#useSegments}
   */
  public Uni<Answers> test(FilterName name, List<byte[]> elements) {
    return live.use(name, filter -> testIn(filter, elements))
        .invoke(answers -> count(answers, present, absent));
  }

  /**
   * Fails as the others would on a filter that cannot be used; for a stream, before it is read. On
   * a thread that may wait.
   *
   * @throws BloomException FILTER_NOT_FOUND, FILTER_NOT_READY and what reading a filter may fail
   *     with
   */
  public void requireUsable(FilterName name) {
    live.getReady(name);
  }

  /** Adds to the live generation, and to the one that a rebuild loads if there is one. */
  private Uni<Placed> addTo(Filter filter, Attempts attempts, Durability durability) {
    attempts.begin(filter);
    var elements = attempts.elements;
    var added = segments.add(filter, elements, live.calls(filter, durability), attempts.here());
    var next = nextGenerations.ahead(filter);
    if (next.isEmpty()) {
      return added.chain(done -> follow(filter, done, Optional.empty(), attempts, durability));
    }
    var ahead = attempts.ahead(next.get());
    return Uni.combine()
        .all()
        .unis(added, nextGenerations.writeAhead(next.get(), elements, durability, ahead))
        .collectFailures()
        .withUni(
            (done, isAhead) ->
                follow(
                    filter,
                    done,
                    isAhead ? next.map(Filter::generation) : Optional.empty(),
                    attempts,
                    durability));
  }

  /**
   * Sees to it that elements are where the next generation is.
   *
   * @param ahead the generation that has them already
   */
  private Uni<Placed> follow(
      Filter filter,
      AddedElements added,
      Optional<Generation> ahead,
      Attempts attempts,
      Durability durability) {
    return nextOf(filter, added)
        .call(next -> followTo(filter, next, ahead, added, durability))
        .invoke(added::requireAll)
        .map(
            next ->
                new Placed(
                    Answers.of(attempts.isNew(), added.replicas()),
                    new Contents(filter.generation(), next)));
  }

  /**
   * The generation that a rebuild is loading, as of a moment after the last element was written: it
   * lacks those written before it was opened, and a later one was opened after all of them.
   */
  private Uni<Optional<Generation>> nextOf(Filter filter, AddedElements added) {
    return added.filter().segments() > 1 && !added.isAgreed()
        ? live.confirm(filter)
        : Uni.createFrom().item(added.next());
  }

  private Uni<Void> followTo(
      Filter filter,
      Optional<Generation> next,
      Optional<Generation> ahead,
      AddedElements added,
      Durability durability) {
    if (next.isEmpty()) {
      nextGenerations.forget(filter);
    }
    return next.isPresent() && !next.equals(ahead) && added.appliedCount() > 0
        ? nextGenerations.follow(filter, next.get(), added.applied(), durability)
        : Uni.createFrom().voidItem();
  }

  private Uni<Answers> testIn(Filter filter, List<byte[]> elements) {
    return segments
        .test(filter, elements, live.calls(filter))
        .call(tested -> live.confirmUnless(tested.isConfirmed(), tested.filter()))
        .map(tested -> Answers.of(tested.maybe()));
  }

  private static void count(Answers answers, Counter whenTrue, Counter whenFalse) {
    whenTrue.increment(answers.trueCount());
    whenFalse.increment(answers.flags().length - answers.trueCount());
  }

  /**
   * Elements that were added.
   *
   * @param contents where all of them were at one moment
   */
  record Placed(Answers answers, Contents contents) {}

  /**
   * What the attempts of one add have done: one that does not count may have found an element new,
   * and put it where the next one finds it known.
   */
  private static final class Attempts {

    private final List<byte[]> elements;

    /** What was written to the live generation by each attempt, also by one that then failed. */
    private final List<AddedElements> here = new ArrayList<>();

    /** What was written to the next generation, by each attempt that knew of it. */
    private final List<AddedElements> ahead = new ArrayList<>();

    private Generation next;

    private Attempts(List<byte[]> elements) {
      this.elements = elements;
    }

    /** What the last attempt has written to the next generation counts if that is live by now. */
    private void begin(Filter filter) {
      if (filter.generation().equals(next)) {
        here.addAll(ahead);
      }
    }

    private AddedElements here() {
      var added = new AddedElements(elements);
      here.add(added);
      return added;
    }

    private AddedElements ahead(Filter next) {
      if (!next.generation().equals(this.next)) {
        this.next = next.generation();
        ahead.clear();
      }
      var added = new AddedElements(elements);
      ahead.add(added);
      return added;
    }

    private boolean[] isNew() {
      var isNew = new boolean[elements.size()];
      for (var added : here) {
        for (var i = 0; i < isNew.length; i++) {
          isNew[i] |= added.isNew()[i];
        }
      }
      return isNew;
    }
  }
}
