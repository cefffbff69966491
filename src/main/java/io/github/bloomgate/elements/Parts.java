package io.github.bloomgate.elements;

import io.github.bloomgate.filters.OwnContext;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The elements of a request in parts small enough to be hashed at once; what is sent as JSON is one
 * part.
 */
final class Parts {

  /** How many segments of a large part are worked on at once, with a bitmap each. */
  static final int SEGMENTS_AT_ONCE = 2;

  /** Bits of the elements of a part, 4 bytes each. */
  private static final int MAX_POSITIONS = 1 << 21;

  /** A request that waits for Redis, without its elements. */
  private static final int BYTES_PER_REQUEST = 8 << 10;

  /** Its flags and places in lists. */
  private static final int BYTES_PER_ELEMENT = 16;

  /** One as it was hashed, and a part of the calls that are under way. */
  private static final int BYTES_PER_POSITION = 12;

  private final List<byte[]> all;
  private final int perPart;

  private Parts(List<byte[]> all, int perPart) {
    this.all = all;
    this.perPart = perPart;
  }

  /**
   * Divides elements.
   *
   * @throws BloomException INVALID_REQUEST if the filter's scheme has no bits for one that is not
   *     in the first part: bad elements are told before anything is written
   */
  static Parts of(Filter filter, List<byte[]> elements) {
    var k = filter.shape().numHashFunctions();
    var perPart = Math.max(ElementService.MAX_ELEMENTS, MAX_POSITIONS / k);
    var parameters = filter.parameters();
    if (elements.size() > perPart && !parameters.hashScheme().takesAnyBytes()) {
      var positions = new long[Math.max(2, k)];
      for (var i = 0; i < elements.size(); i++) {
        HashedElements.locate(parameters, elements, i, positions);
      }
    }
    return new Parts(elements, perPart);
  }

  /** What adding or testing so many elements takes of the memory beside themselves, in bytes. */
  static long memory(Filter filter, int elements) {
    var k = filter.shape().numHashFunctions();
    return BYTES_PER_REQUEST + (BYTES_PER_ELEMENT + (long) BYTES_PER_POSITION * k) * elements;
  }

  /**
   * Does something for each segment that has elements: with few on all at once, so that they share
   * a call. All have ended when this fails, so that what they found is noted.
   */
  static <T> Uni<Void> bySegment(HashedElements hashed, IntFunction<Uni<T>> step) {
    var touched = hashed.segments();
    if (touched.size() == 1) {
      return step.apply(touched.get(0)).replaceWithVoid();
    }
    var all =
        hashed.count() > ElementService.MAX_ELEMENTS
            ? Multi.createFrom()
                .iterable(touched)
                .onItem()
                .transformToUni(segment -> step.apply(segment).replaceWithVoid())
                .collectFailures()
                .merge(SEGMENTS_AT_ONCE)
                .onItem()
                .ignoreAsUni()
            : Uni.join()
                .all(touched.stream().map(step::apply).toList())
                .andCollectFailures()
                .replaceWithVoid();
    return all.onFailure(CompositeException.class)
        .transform(failures -> failures.getCauses().get(0));
  }

  /** The index of the first element of a part. */
  int first(int part) {
    return part * perPart;
  }

  /** The elements of a part. */
  List<byte[]> elements(int part) {
    return all.subList(first(part), Math.min(all.size(), first(part) + perPart));
  }

  /**
   * Does something for one part after the other. Hashing more than what is sent as JSON is no work
   * for an event loop, on which the first part may come, and later ones do.
   */
  Uni<Void> inTurn(IntFunction<Uni<?>> step) {
    var count = (all.size() + perPart - 1) / perPart;
    return !all.isEmpty() && all.size() <= ElementService.MAX_ELEMENTS
        ? step.apply(0).replaceWithVoid()
        : Multi.createFrom()
            .range(0, count)
            .onItem()
            .transformToUniAndConcatenate(
                part ->
                    Uni.createFrom()
                        .deferred(() -> step.apply(part).replaceWithVoid())
                        .runSubscriptionOn(OwnContext.workers()))
            .onItem()
            .ignoreAsUni();
  }
}
