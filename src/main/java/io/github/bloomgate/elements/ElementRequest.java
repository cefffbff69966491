package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.FoundFilter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.segment.Answer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A request with its elements, generations and answers. Used by its caller between rounds, and
 * within {@link Rounds} by the thread of the rounds.
 */
public final class ElementRequest {

  public enum Kind {
    ADD,
    REMOVE,
    TEST,
    COUNT;

    boolean changes() {
      return this == ADD || this == REMOVE;
    }
  }

  public enum Outcome {
    /** Every element has an answer. */
    DONE,
    /**
     * The filter has another version or no longer exists: find it, follow it and send the request
     * again.
     */
    CHANGED,
    /** The last layer of a growing filter is full: grow it and send the rest. */
    FULL
  }

  private final ElementCall call;
  private final Kind kind;
  private final List<ElementPart> parts = new ArrayList<>(2);
  private FoundFilter filter;
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
  ElementRequest(ElementCall call, FoundFilter filter) {
    this.call = call;
    this.kind = call.kind();
    join(target(filter));
  }

  /** The filter, or only its next generation. */
  private FoundFilter target(FoundFilter found) {
    if ((kind == Kind.REMOVE || kind == Kind.COUNT) && !found.live().isCounting()) {
      throw FilterErrors.notCounting(found.live().name());
    }
    return call.next().isEmpty()
        ? found
        : found
            .next()
            .filter(open -> open.incarnation().equals(call.next().get()))
            .map(open -> new FoundFilter(open, Optional.empty()))
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
  public boolean follow(FoundFilter changed) {
    var target = target(changed);
    if (kind == Kind.REMOVE && !live().isOf(target.live())) {
      return false;
    }
    join(target);
    return true;
  }

  /** Whether a generation has a new layer, which happens a few dozen times at most. */
  boolean hasGrown(FoundFilter changed) {
    return target(changed).generations().stream().anyMatch(now -> any(part -> isGrown(part, now)));
  }

  private static boolean isGrown(ElementPart part, Filter now) {
    return part.isOf(now) && now.layers().size() > part.generation().layers().size();
  }

  private void join(FoundFilter changed) {
    var before = List.copyOf(parts);
    parts.clear();
    var targets = kind == Kind.ADD ? changed.generations() : List.of(changed.live());
    for (var generation : targets) {
      parts.add(
          before.stream()
              .filter(part -> part.isOf(generation))
              .findFirst()
              .map(part -> part.follow(generation))
              .orElseGet(() -> new ElementPart(this, hash(generation), generation)));
    }
    if (before.size() > 1 && live().isOf(before.get(1).generation())) {
      live().replace(before.get(0));
    }
    filter = changed;
    isInterrupted = false;
    failure = null;
    isConfirmed = false;
  }

  private ElementHashes hash(Filter generation) {
    return call.hash(generation.scheme(), generation.layers().get(0).places().numHashFunctions());
  }

  FilterName name() {
    return filter.live().name();
  }

  Kind kind() {
    return kind;
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
        && !all(ElementPart::isRaw)
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
  public Answers answers(Answer some) {
    return Answers.of(live().flags(some), replicas());
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
    return any(ElementPart::isRaw);
  }

  void join(Round round) {
    var words = new long[Math.max(2, filter.mostHashFunctions())];
    var left = new BitSet();
    parts.forEach(part -> part.join(round, words, left));
  }

  /** Records a failure; the first one counts. */
  void fail(RuntimeException some) {
    failure = failure == null ? some : failure;
  }

  /** Makes it leave the rounds as {@link Outcome#CHANGED}. */
  void interrupt() {
    isInterrupted = true;
  }

  /** The failure, or null. */
  RuntimeException failure() {
    return failure == null ? null : adapted(failure);
  }

  void throwFailure() {
    var failed = failure();
    if (failed != null) {
      throw failed;
    }
  }

  /** The outcome of a request that is not sent any more; throws its failure. */
  Outcome result() {
    throwFailure();
    return outcome().orElseThrow();
  }

  /** Adapts a failure: for a removal it says whether a retry could remove elements twice. */
  RuntimeException adapted(RuntimeException some) {
    return kind == Kind.REMOVE
            && some instanceof BloomException error
            && (live().answered() > 0 || mayBeDone(error.code()))
        ? StoreErrors.removedInPart(error, live().answered(), live().count())
        : some;
  }

  private static boolean mayBeDone(ErrorCode code) {
    return code == ErrorCode.STORE_OUTCOME_UNKNOWN || code == ErrorCode.NOT_REPLICATED;
  }

  boolean isToLeave() {
    return isDecided() && !isConfirming;
  }

  boolean isDecided() {
    return failure != null || outcome().isPresent();
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
      return Optional.of(Outcome.CHANGED);
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
