package io.github.bloomgate.elements;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The elements of a request in chunks small enough to be hashed at once; what is sent as JSON is
 * one chunk.
 */
final class ElementChunks {

  /** How many segments of a large chunk are worked on at once, with a bitmap each. */
  static final int SEGMENTS_AT_ONCE = 2;

  /** Bits of the elements of a chunk, 4 bytes each. */
  private static final int MAX_POSITIONS = 1 << 21;

  /** A request that waits for Redis, without its elements. */
  private static final int BYTES_PER_REQUEST = 8 << 10;

  /** Its flags, places in lists, and hash. */
  private static final int BYTES_PER_ELEMENT = 32;

  /** One as it was hashed, and a chunk of the calls that are under way. */
  private static final int BYTES_PER_POSITION = 12;

  private final List<byte[]> all;
  private final int perChunk;

  private ElementChunks(List<byte[]> all, int perChunk) {
    this.all = all;
    this.perChunk = perChunk;
  }

  /**
   * Divides elements.
   *
   * @throws BloomException INVALID_REQUEST if the filter's scheme has no bits for one that is not
   *     in the first chunk: bad elements are told before anything is written
   */
  static ElementChunks of(Filter filter, List<byte[]> elements) {
    var k = filter.shape().numHashFunctions();
    var perChunk = Math.max(ElementService.MAX_ELEMENTS, MAX_POSITIONS / k);
    var parameters = filter.parameters();
    if (elements.size() > perChunk && !parameters.hashScheme().takesAnyBytes()) {
      var hashes = new ElementHashes.Bytes(parameters.hashScheme(), elements);
      var positions = new long[Math.max(2, k)];
      for (var i = 0; i < elements.size(); i++) {
        hashes.locate(i, filter.shape(), positions);
      }
    }
    return new ElementChunks(elements, perChunk);
  }

  /** What adding or testing so many elements takes of the memory beside themselves, in bytes. */
  static long memory(Filter filter, int elements) {
    var layers = filter.layers();
    var k = layers.get(layers.size() - 1).shape().numHashFunctions();
    var atOnce = LayerPart.areAtOnce(filter, elements) ? layers.size() : 1;
    return BYTES_PER_REQUEST
        + (BYTES_PER_ELEMENT + (long) BYTES_PER_POSITION * k * atOnce) * elements;
  }

  /**
   * Works on segments: with few elements on all at once, so that they share a call. All have ended
   * when this fails, so that what they found is noted.
   */
  static Uni<Void> atOnce(int elements, List<SegmentPart> parts) {
    return elements > ElementService.MAX_ELEMENTS && parts.size() > 1
        ? first(
            Multi.createFrom()
                .iterable(parts)
                .onItem()
                .transformToUni(part -> SegmentPart.workOn(List.of(part)))
                .collectFailures()
                .merge(SEGMENTS_AT_ONCE)
                .onItem()
                .ignoreAsUni())
        : SegmentPart.workOn(parts);
  }

  /** Does several things at once; all have ended when this fails, with the first failure. */
  static Uni<Void> all(List<Uni<Void>> works) {
    return switch (works.size()) {
      case 0 -> Uni.createFrom().voidItem();
      case 1 -> works.get(0);
      default -> first(Uni.join().all(works).andCollectFailures().replaceWithVoid());
    };
  }

  private static Uni<Void> first(Uni<Void> all) {
    return all.onFailure(CompositeException.class)
        .transform(failures -> failures.getCauses().get(0));
  }

  /** The index of the first element of a chunk. */
  int first(int chunk) {
    return chunk * perChunk;
  }

  /** The elements of a chunk. */
  List<byte[]> elements(int chunk) {
    return all.subList(first(chunk), Math.min(all.size(), first(chunk) + perChunk));
  }

  /**
   * Does something for one chunk after the other. Hashing more than what is sent as JSON is no work
   * for an event loop, on which the first chunk may come, and later ones do.
   */
  Uni<Void> inTurn(IntFunction<Uni<?>> step) {
    var count = (all.size() + perChunk - 1) / perChunk;
    return !all.isEmpty() && all.size() <= ElementService.MAX_ELEMENTS
        ? step.apply(0).replaceWithVoid()
        : Multi.createFrom()
            .range(0, count)
            .onItem()
            .transformToUniAndConcatenate(
                chunk ->
                    Uni.createFrom()
                        .deferred(() -> step.apply(chunk).replaceWithVoid())
                        .runSubscriptionOn(OwnContext.workers()))
            .onItem()
            .ignoreAsUni();
  }
}
