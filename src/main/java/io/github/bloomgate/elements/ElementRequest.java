package io.github.bloomgate.elements;

import io.github.bloomgate.filters.FilterView;
import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One request: its elements, the generations they belong to, and its answers, of which it is the
 * only holder. Between two rounds it belongs to its caller; within {@link Rounds} to the thread of
 * the rounds.
 */
public final class ElementRequest {

  /** What is done with the elements. */
  public enum Kind {
    ADD,
    REMOVE,
    TEST,
    COUNT;

    boolean changes() {
      return this == ADD || this == REMOVE;
    }
  }

  /** How a request left the rounds. */
  public enum Outcome {
    /** Every element has its answer. */
    DONE,
    /** The filter has another version: follow its new view and send the request again. */
    CHANGED,
    /** There is no such filter any more. */
    GONE,
    /** The last layer of a growing filter takes no more elements: grow it and send the rest. */
    FULL
  }

  private final Kind kind;
  private final List<byte[]> elements;
  private final Durability durability;
  private final List<ElementPart> parts = new ArrayList<>(2);
  private FilterView view;
  private int askedInRedis;
  private RuntimeException failure;
  private Outcome interruption;
  private OptionalInt replicas = OptionalInt.empty();
  private int rawReplicas = Integer.MAX_VALUE;

  /**
   * A request for elements of a filter, which are hashed here.
   *
   * @param durability what a change must have reached before the request is done
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if a scheme has no bits
   *     for an element; SECRET_MISSING
   */
  public ElementRequest(Kind kind, List<byte[]> elements, Durability durability, FilterView view) {
    this.kind = kind;
    this.elements = elements;
    this.durability = durability;
    join(view);
  }

  /**
   * Goes on with another version of the filter. What was settled in a generation stays so while its
   * content is there; all elements of an add go to a generation that was opened since.
   *
   * @return false if the content that elements are removed from is not live any more: no removal
   *     goes to content that was not live when it began
   */
  public boolean follow(FilterView changed) {
    if (kind == Kind.REMOVE && !live().isOf(changed.live())) {
      return false;
    }
    join(changed);
    return true;
  }

  /** Whether a generation has got another layer, which happens a few dozen times at most. */
  boolean hasGrown(FilterView changed) {
    return changed.generations().stream()
        .anyMatch(now -> parts.stream().anyMatch(part -> isGrown(part, now)));
  }

  private static boolean isGrown(ElementPart part, GenerationView now) {
    return part.isOf(now) && now.layers().size() > part.generation().layers().size();
  }

  private void join(FilterView changed) {
    var before = List.copyOf(parts);
    parts.clear();
    var targets = kind == Kind.ADD ? changed.generations() : List.of(changed.live());
    for (var generation : targets) {
      parts.add(
          before.stream()
              .filter(part -> part.isOf(generation))
              .findFirst()
              .map(part -> part.of(generation))
              .orElseGet(() -> new ElementPart(this, hashes(generation), generation)));
    }
    view = changed;
    interruption = null;
    failure = null;
    replicas = OptionalInt.empty();
  }

  /** Bad elements are refused before any is sent. */
  private ElementHashes hashes(GenerationView generation) {
    var hashes = ElementHashes.of(generation.scheme(), elements);
    if (!generation.scheme().takesAnyBytes()) {
      var places = generation.layers().get(0).places();
      for (var i = 0; i < elements.size(); i++) {
        hashes.segment(i, places);
      }
    }
    return hashes;
  }

  Kind kind() {
    return kind;
  }

  /** Whether replicas confirm it before it is done. */
  boolean isReplicated() {
    return durability == Durability.REPLICATED && kind.changes();
  }

  /** Whether all that is left to do for it is to ask replicas. */
  boolean awaitsReplicas() {
    return isReplicated()
        && failure == null
        && interruption == null
        && replicas.isEmpty()
        && !parts.stream().allMatch(ElementPart::isRaw)
        && isSettled();
  }

  /** Notes how many replicas have a part of what was changed; the fewest count. */
  void confirm(int some) {
    replicas = OptionalInt.of(Math.min(some, replicas.orElse(Integer.MAX_VALUE)));
  }

  /** How many replicas have all that was changed; empty if that was not waited for. */
  public OptionalInt replicas() {
    var fewest = Math.min(rawReplicas, replicas.orElse(Integer.MAX_VALUE));
    return fewest == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(fewest);
  }

  /** Notes how many replicas have what was changed in raw content, which waits for them itself. */
  void confirmRaw(int some) {
    rawReplicas = Math.min(rawReplicas, some);
  }

  /**
   * Has it done again, because Redis has another history than its answers, or no longer keeps the
   * blocks that show it. What counts fails: made twice, a removal could take away other elements,
   * and an add would count twice.
   */
  void reopen() {
    if (live().generation().filter().isCounting()) {
      fail(
          StoreErrors.outcomeUnknown(
              "Redis no longer shows whether it made the change before replicas confirmed it.",
              null));
    } else {
      parts.forEach(ElementPart::reopen);
    }
  }

  private boolean isSettled() {
    return parts.stream().allMatch(ElementPart::isSettled);
  }

  /** Puts what is left to do into a round, as far as its segments are free. */
  void join(Round round) {
    if (parts.stream().anyMatch(ElementPart::isUnderWay) && isDecided()) {
      return;
    }
    var words = new long[Math.max(2, view.mostHashFunctions())];
    parts.forEach(part -> part.join(round, words));
  }

  /** Ends it with a failure; the first one counts. */
  void fail(RuntimeException some) {
    failure = failure == null ? some : failure;
  }

  /** Has it leave the rounds, to be sent again. */
  void interrupt(Outcome some) {
    interruption = interruption == Outcome.GONE ? Outcome.GONE : some;
  }

  /** Why it failed; null if it has not. */
  RuntimeException failure() {
    return failure == null ? null : told(failure);
  }

  /** A failure of it. That of a removal tells if a repetition could remove elements twice. */
  RuntimeException told(RuntimeException some) {
    return kind == Kind.REMOVE
            && some instanceof BloomException error
            && (live().settled() > 0 || mayBeDone(error.code()))
        ? StoreErrors.removedInPart(error, live().settled(), live().count())
        : some;
  }

  private static boolean mayBeDone(ErrorCode code) {
    return code == ErrorCode.STORE_OUTCOME_UNKNOWN || code == ErrorCode.NOT_REPLICATED;
  }

  /** Whether there is nothing left to do for it in the next round. */
  boolean isToLeave() {
    return isDecided() && parts.stream().noneMatch(ElementPart::isUnderWay);
  }

  private boolean isDecided() {
    return failure != null || outcome().isPresent();
  }

  /** Counts elements that were decided without a copy. */
  void countAskedInRedis() {
    askedInRedis++;
  }

  int askedInRedis() {
    return askedInRedis;
  }

  /** How it leaves the rounds now; empty if it waits for the next round. */
  Optional<Outcome> outcome() {
    if (interruption != null) {
      return Optional.of(interruption);
    }
    if (isSettled()) {
      return awaitsReplicas() ? Optional.empty() : Optional.of(Outcome.DONE);
    }
    return parts.stream().anyMatch(ElementPart::needsLayer)
        ? Optional.of(Outcome.FULL)
        : Optional.empty();
  }

  /** The generations that the elements belong to, with their answers; the live one first. */
  public List<ElementPart> parts() {
    return parts;
  }

  /** The answers of the live generation. */
  public ElementPart live() {
    return parts.get(0);
  }
}
