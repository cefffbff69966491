package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.MissingFilter;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.segment.Verdict;
import io.smallrye.mutiny.Uni;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An add of any number of batches that is acknowledged at its end. If a rebuild is opened between
 * two batches, the next generation lacks the earlier ones, which is reported at the end. Blocks.
 * Not thread-safe.
 */
public final class LongAdd implements BatchOperation {

  private final ElementService elements;
  private final LiveFilters live;
  private final FilterName name;
  private final Durability durability;
  private final Optional<MissingFilter> ifMissing;
  private final Client client;

  /** The incarnations that contain all elements so far. */
  private Set<String> contents = Set.of();

  private long count;

  /** The number of first elements that later content lacks. */
  private long left;

  private OptionalInt replicas = OptionalInt.empty();

  /**
   * Creates a stream of adds.
   *
   * @param ifMissing how its first batch creates the filter if it does not exist; empty to fail
   */
  public LongAdd(
      ElementService elements,
      LiveFilters live,
      FilterName name,
      Durability durability,
      Optional<MissingFilter> ifMissing,
      Client client) {
    this.elements = elements;
    this.live = live;
    this.name = name;
    this.durability = durability;
    this.ifMissing = ifMissing;
    this.client = client;
  }

  /**
   * Adds elements.
   *
   * @throws BloomException as {@link ElementService#add}; FILTER_CHANGED if the current content
   *     lacks earlier ones
   */
  @Override
  public Uni<Flags> apply(List<byte[]> batch) {
    return elements
        .send(name, batch, durability, ifMissing, client)
        .map(
            request -> {
              compare(incarnations(request));
              contents = incarnations(request);
              count += batch.size();
              var answers = request.answers(Verdict.CHANGED);
              answers.replicas().ifPresent(this::noteReplicas);
              requireNoneLeft();
              return answers;
            });
  }

  private static Set<String> incarnations(ElementRequest request) {
    var all = new HashSet<String>();
    request.parts().forEach(part -> all.add(part.generation().incarnation()));
    return all;
  }

  private void noteReplicas(int some) {
    replicas = OptionalInt.of(Math.min(some, replicas.orElse(Integer.MAX_VALUE)));
  }

  private void compare(Set<String> now) {
    if (count > 0 && !contents.containsAll(now)) {
      left = count;
    }
  }

  /**
   * Checks that all elements are in the current content and in an open rebuild, before any of them
   * is acknowledged.
   *
   * @throws BloomException FILTER_CHANGED if not; FILTER_NOT_FOUND if it is unknown, because the
   *     filter may have been renamed, and rebuilt without them
   */
  @Override
  public void acknowledge() {
    if (count > 0) {
      lookAgain();
      requireNoneLeft();
    }
  }

  /** As {@link #acknowledge}, after a failure, when Redis may be unavailable. */
  @Override
  public void acknowledgePart() {
    try {
      lookAgain();
    } catch (BloomException failure) {
      // Relies on the reply to the last batch.
    }
    requireNoneLeft();
  }

  private void lookAgain() {
    var all = new HashSet<String>();
    await(live.find(name)).generations().forEach(its -> all.add(its.incarnation()));
    compare(all);
  }

  private void requireNoneLeft() {
    if (left > 0) {
      throw BloomException.of(
          ErrorCode.FILTER_CHANGED,
          "A rebuild of the filter '%s' was opened, or its content was replaced, while the stream ran."
              .formatted(name),
          "Lines 1 to %d may be missing from the new content; the %d lines after them are in it. Send lines 1 to %d again."
              .formatted(left, count - left, left),
          new ProblemDetails.Stopped(1, count - left));
    }
  }

  @Override
  public OptionalInt replicas() {
    return replicas;
  }
}
