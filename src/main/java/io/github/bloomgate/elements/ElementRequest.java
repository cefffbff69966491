package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A request with its elements, generations and answers. Used by its caller between rounds, and
 * within {@link Rounds} by the thread of the rounds.
 */
public final class ElementRequest {

  public enum Outcome {
    /** Every element has an answer. */
    DONE,
    /**
     * The filter has another version or no longer exists: find it, follow it and send the request
     * again.
     */
    OUTDATED,
    /** The last layer of a growing filter is full: grow it and send the rest. */
    FULL
  }

  private final ElementCall call;
  private final Kind kind;
  private final List<ElementPart> parts = new ArrayList<>(2);
  private Filter filter;
  private int askedInRedis;
  private RuntimeException failure;
  private boolean isInterrupted;
  private boolean isConfirming;
  private boolean isConfirmed;
  private int replicas = Integer.MAX_VALUE;

  /**
   * Hashes the elements, unless another request has done so.
   *
   * @throws BloomException INVALID_REQUEST if a scheme does not accept an element, or the filter
   *     does not count; SECRET_MISSING; REBUILD_NOT_FOUND if the next generation is not open
   */
  ElementRequest(ElementCall call, Filter filter) {
    this.call = call;
    this.kind = call.kind();
    join(target(filter));
  }

  /** The filter, or only its next generation. */
  private Filter target(Filter found) {
    if ((kind == Kind.REMOVE || kind == Kind.COUNT) && !found.live().isCounting()) {
      throw FilterErrors.notCounting(found.live().name());
    }
    return call.next().isEmpty()
        ? found
        : found
            .ofNext()
            .filter(open -> open.live().incarnation().equals(call.next().get()))
            .orElseThrow(() -> RebuildErrors.notFound(found.live().name()));
  }

  /**
   * Continues with another version of the filter. Answers stay valid while their content exists;
   * all elements of an add go to a generation opened since.
   *
   * @return false for a removal whose content is no longer live: it never applies to content that
   *     was not live at its start
   * @throws BloomException as the constructor does
   */
  public boolean follow(Filter changed) {
    var target = target(changed);
    if (kind == Kind.REMOVE && !live().isOf(target.live())) {
      return false;
    }
    join(target);
    return true;
  }

  /** Whether a generation has a new layer, which happens a few dozen times at most. */
  boolean hasGrown(Filter changed) {
    return target(changed).generations().stream().anyMatch(now -> any(part -> isGrown(part, now)));
  }

  private static boolean isGrown(ElementPart part, Generation now) {
    return part.isOf(now) && now.layers().size() > part.generation().layers().size();
  }

  /** If a generation cannot take the elements, the parts stay as they were. */
  private void join(Filter changed) {
    var before = List.copyOf(parts);
    var joined = new ArrayList<ElementPart>(2);
    var targets = kind == Kind.ADD ? changed.generations() : List.of(changed.live());
    for (var generation : targets) {
      joined.add(
          before.stream()
              .filter(part -> part.isOf(generation))
              .findFirst()
              .map(part -> part.follow(generation))
              .orElseGet(() -> new ElementPart(this, hash(generation), generation)));
    }
    parts.clear();
    parts.addAll(joined);
    if (before.size() > 1 && live().isOf(before.get(1).generation())) {
      live().replace(before.get(0));
    }
    filter = changed;
    isInterrupted = false;
    failure = null;
    isConfirmed = false;
  }

  private ElementHashes hash(Generation generation) {
    return call.hash(generation.scheme(), generation.layers().get(0).places().numHashFunctions());
  }

  /** The filter, or only its next generation. */
  Filter filter() {
    return filter;
  }

  FilterName name() {
    return filter.live().name();
  }

  Kind kind() {
    return kind;
  }

  Client client() {
    return call.client();
  }

  boolean isReplicated() {
    return call.isReplicated();
  }

  Effect effect() {
    if (!kind.changes()) {
      return Effect.READ;
    }
    return isReplicated() ? Effect.REPLICATED : Effect.WRITE;
  }

  /** Whether only the confirmation by replicas is missing. */
  boolean awaitsReplicas() {
    return isReplicated()
        && failure == null
        && !isInterrupted
        && !isConfirmed
        && any(ElementPart::hasSegments)
        && isAnswered();
  }

  /** Records whether replicas are being asked; until they answer it cannot leave the rounds. */
  void setConfirming(boolean confirming) {
    isConfirming = confirming;
  }

  /** Records the replicas that confirmed all changes except to raw content. */
  void confirm(int some) {
    isConfirmed = true;
    countReplicas(some);
  }

  /** Which elements have an answer in the live generation, and the replicas that confirmed it. */
  public Flags answers(Verdict some) {
    return Flags.of(live().flags(some), replicas());
  }

  /** The number of replicas that confirmed all changes, if requested. */
  public OptionalInt replicas() {
    return replicas == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(replicas);
  }

  /** Records the replicas that confirmed some changes; the minimum counts. */
  void countReplicas(int some) {
    replicas = Math.min(replicas, some);
  }

  /**
   * Repeats the request, because Redis has another history than its answers or no longer keeps the
   * blocks that prove it. With counters it fails instead: a repeated removal could remove other
   * elements, and a repeated add would count twice.
   */
  void reopen() {
    if (live().generation().isCounting()) {
      fail(
          StoreErrors.outcomeUnknown(
              "Redis no longer shows whether the change was made before replicas confirmed it.",
              null));
    } else {
      parts.forEach(ElementPart::reopen);
    }
  }

  private boolean isAnswered() {
    return all(ElementPart::isAnswered);
  }

  private boolean all(Predicate<ElementPart> condition) {
    for (var part : parts) {
      if (!condition.test(part)) {
        return false;
      }
    }
    return true;
  }

  private boolean any(Predicate<ElementPart> condition) {
    for (var part : parts) {
      if (condition.test(part)) {
        return true;
      }
    }
    return false;
  }

  boolean hasRaw() {
    return !all(ElementPart::hasSegments);
  }

  /** The most bits that a round would compute and look up to answer it. */
  long work() {
    var work = 0L;
    for (var part : parts) {
      work += part.work();
    }
    return work;
  }

  /** The most segments that a round would ask to answer it. */
  long segments() {
    var segments = 0L;
    for (var part : parts) {
      segments += part.segments();
    }
    return segments;
  }

  /** The most hash functions of any layer. */
  int mostHashFunctions() {
    return filter.mostHashFunctions();
  }

  /**
   * Records a failure. The first one counts, unless only a later one says that changes may have
   * been made.
   */
  void fail(RuntimeException some) {
    if (failure == null || (mayBeDone(some) && !mayBeDone(failure))) {
      failure = some;
    }
  }

  /** Makes it leave the rounds as {@link Outcome#OUTDATED}. */
  void interrupt() {
    isInterrupted = true;
  }

  /** Records the failure for its client, which replaces the failure of a round. */
  void end(RuntimeException some) {
    failure = some;
  }

  /** The failure for its client, or null. */
  RuntimeException failure() {
    return failure;
  }

  void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  /** The outcome of the last round; throws its failure. */
  Outcome result() {
    if (failure != null) {
      throw adapted(failure);
    }
    return outcome().orElseThrow();
  }

  /**
   * Adapts a failure: if a retry could make changes of counters twice, it says so.
   *
   * @param some not that the filter or its rebuild is gone
   */
  RuntimeException adapted(RuntimeException some) {
    if (!(some instanceof BloomException error)
        || !changesCounters()
        || !(isAppliedInPart() || mayBeDone(some))) {
      return some;
    }
    return kind == Kind.REMOVE
        ? StoreErrors.removedInPart(error, applied(), live().count())
        : StoreErrors.addedInPart(error, applied(), live().count());
  }

  /** Whether it must not be made twice: adding the bits of an element again changes nothing. */
  boolean changesCounters() {
    return kind.changes() && live().generation().isCounting();
  }

  boolean isAppliedInPart() {
    return any(part -> part.applied() > 0);
  }

  /** The number of elements of a change that are certainly done in all generations. */
  private int applied() {
    return parts.stream().mapToInt(ElementPart::applied).min().orElseThrow();
  }

  private static boolean mayBeDone(RuntimeException failure) {
    return ErrorCode.STORE_OUTCOME_UNKNOWN.isOf(failure) || ErrorCode.NOT_REPLICATED.isOf(failure);
  }

  boolean isToLeave() {
    return isDecided() && !isConfirming;
  }

  boolean isDecided() {
    return failure != null || outcome().isPresent();
  }

  /** Whether all elements have answers. */
  boolean isDone() {
    return failure == null && outcome().equals(Optional.of(Outcome.DONE));
  }

  void countAskedInRedis() {
    askedInRedis++;
  }

  int askedInRedis() {
    return askedInRedis;
  }

  /** The outcome; empty if it waits for the next round. */
  Optional<Outcome> outcome() {
    if (isInterrupted) {
      return Optional.of(Outcome.OUTDATED);
    }
    if (isAnswered()) {
      return awaitsReplicas() ? Optional.empty() : Optional.of(Outcome.DONE);
    }
    return any(ElementPart::needsLayer) ? Optional.of(Outcome.FULL) : Optional.empty();
  }

  /** The generations with the answers of the elements, the live one first. */
  public List<ElementPart> parts() {
    return parts;
  }

  /** The answers of the live generation. */
  public ElementPart live() {
    return parts.get(0);
  }
}
