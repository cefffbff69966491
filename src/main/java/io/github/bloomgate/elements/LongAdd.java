package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StreamErrors;
import io.smallrye.mutiny.Uni;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * An add of any number of batches that is acknowledged as a whole, at its end. If a rebuild was
 * opened between two batches, the earlier ones are not in the content that it loads: the end says
 * so. For a thread that may wait, one batch after the other.
 */
public final class LongAdd {

  private final ElementService elements;
  private final LiveFilters live;
  private final FilterName name;
  private final Durability durability;

  /** The incarnations that all elements so far are in. */
  private Set<String> contents = Set.of();

  private long count;

  /** How many elements, from the first on, are not in content that was there later. */
  private long left;

  private OptionalInt replicas = OptionalInt.empty();

  private LongAdd(
      ElementService elements, LiveFilters live, FilterName name, Durability durability) {
    this.elements = elements;
    this.live = live;
    this.name = name;
    this.durability = durability;
  }

  /** Begins an add. */
  public static LongAdd begin(
      ElementService elements, LiveFilters live, FilterName name, Durability durability) {
    return new LongAdd(elements, live, name, durability);
  }

  /**
   * Adds elements.
   *
   * @throws BloomException as {@link ElementService#add}; FILTER_CHANGED if earlier ones are
   *     missing in the content that there is now
   */
  public Uni<Answers> add(List<byte[]> batch) {
    return elements
        .send(name, batch, durability)
        .map(
            request -> {
              look(incarnations(request));
              contents = incarnations(request);
              count += batch.size();
              var answers = AddedElements.answers(request);
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

  private void look(Set<String> now) {
    if (count > 0 && !contents.containsAll(now)) {
      left = count;
    }
  }

  /**
   * Looks whether everything that was added is in the content there is now, that of an open rebuild
   * included. Only then it may be acknowledged, also in part.
   *
   * @throws BloomException FILTER_CHANGED if not
   */
  public void acknowledge() {
    if (count > 0) {
      try {
        lookAgain();
      } catch (BloomException failure) {
        throw StreamErrors.addStopped(failure, count + 1, count);
      }
      requireNoneLeft();
    }
  }

  /** As {@link #acknowledge}, after a failure: it may be that Redis cannot be asked. */
  public void acknowledgePart() {
    try {
      lookAgain();
    } catch (BloomException failure) {
      // What is known is what the last batch told.
    }
    requireNoneLeft();
  }

  private void lookAgain() {
    try {
      var all = new HashSet<String>();
      await(live.find(name)).view().generations().forEach(its -> all.add(its.incarnation()));
      look(all);
    } catch (BloomException failure) {
      // What was added to a filter that was deleted since is gone with it.
      if (failure.code() != ErrorCode.FILTER_NOT_FOUND) {
        throw failure;
      }
    }
  }

  private void requireNoneLeft() {
    if (left > 0) {
      throw StreamErrors.leftBehind(name, left, count - left);
    }
  }

  /** How many replicas of Redis have all of it; empty if that was not asked for. */
  public OptionalInt replicas() {
    return replicas;
  }
}
