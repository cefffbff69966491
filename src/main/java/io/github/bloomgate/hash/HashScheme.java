package io.github.bloomgate.hash;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A frozen rule from an element's bytes to bit positions, with the sizing rule, the limits and the
 * element encoding that belong to it.
 *
 * <p>Implementations are stateless, thread-safe and, unless they say otherwise, allocate nothing in
 * {@link #locate}. What a scheme computes never changes once released: filters in Redis depend on
 * it. There is one instance of each scheme and codec; of a keyed scheme one for each {@link
 * KeyOrigin}, which are equal if that is.
 */
public sealed interface HashScheme permits NativeScheme, LibraryScheme {

  /** The stable name under which filters store their scheme. */
  String id();

  /**
   * How the scheme turns the bytes of an element into the bytes it hashes.
   *
   * @return the codec's name; empty if the scheme knows one way only
   */
  default Optional<String> elementCodec() {
    return Optional.empty();
  }

  /**
   * The shape for a number of elements at a false-positive probability. Only for new filters: the
   * shape stored with a filter always wins.
   *
   * @param expectedInsertions n, at least 1
   * @param falsePositiveProbability p, in (0, 1)
   * @throws IllegalArgumentException if the scheme has no such rule, or the shape is beyond its
   *     limits; the message names the value and the limit
   */
  FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability);

  /**
   * The shape that older versions of the scheme's library compute, where it is another.
   *
   * @param expectedInsertions n, at least 1
   * @param falsePositiveProbability p, in (0, 1)
   * @return empty if all versions agree
   * @throws IllegalArgumentException as {@link #shapeFor}
   */
  default Optional<FilterShape> formerShapeFor(
      long expectedInsertions, double falsePositiveProbability) {
    return Optional.empty();
  }

  /**
   * The shape for a number of bits, rounded up as the scheme requires.
   *
   * @param bitSize m of the whole filter, at least 1
   * @param numHashFunctions k, at least 1
   * @throws IllegalArgumentException if the scheme cannot have this shape; the message names the
   *     value and the limit
   */
  FilterShape shapeOf(long bitSize, int numHashFunctions);

  /**
   * The number of hash functions of a filter that is sized by its bits alone.
   *
   * @return k; empty if the scheme leaves it to the caller
   */
  default OptionalInt defaultNumHashFunctions() {
    return OptionalInt.empty();
  }

  /**
   * The highest false-positive probability that a filter can be sized for; 1 is never reached.
   *
   * @return 0.5 unless a library takes more: above, one hash function cannot keep the promise
   */
  default double maxFalsePositiveProbability() {
    return 0.5;
  }

  /**
   * Whether others than the service keep bitmaps of the scheme as Redis strings, so that one can be
   * shared with them.
   */
  default boolean isAdoptable() {
    return true;
  }

  /** Whether filters with it can grow, by layers of other shapes: no library knows of those. */
  default boolean canGrow() {
    return false;
  }

  /** Whether every element has bits, be it text or not. */
  default boolean takesAnyBytes() {
    return false;
  }

  /** Whether positions depend on a secret key as well. */
  default boolean isKeyed() {
    return false;
  }

  /**
   * What the key of a keyed scheme is derived from.
   *
   * @return empty if the scheme is not keyed, or this is the keyed scheme of no filter yet, which
   *     can do no more than compute shapes
   */
  default Optional<KeyOrigin> keyOrigin() {
    return Optional.empty();
  }

  /** Whether there is all that {@link #locate} needs: false only of a keyed one without its key. */
  default boolean canLocate() {
    return true;
  }

  /**
   * The Redis hash in which the scheme's library keeps the shape of a filter.
   *
   * @param redisKey of the library's bitmap
   * @return its key; empty if the library has none
   */
  default Optional<String> configKey(String redisKey) {
    return Optional.empty();
  }

  /**
   * The Redis string in which the scheme's library counts the elements that it added: those that
   * changed a bit.
   *
   * @param redisKey of the library's bitmap
   * @return its key; empty if the library counts nothing
   */
  default Optional<String> counterKey(String redisKey) {
    return Optional.empty();
  }

  /**
   * The Redis key that the scheme's library has beside the bitmap of a sliding filter, and of no
   * other. The library puts another bitmap in the place of that one as time passes, so it cannot be
   * shared.
   *
   * @param redisKey of the library's bitmap
   * @return empty if the library has no such filters
   */
  default Optional<String> slidingKey(String redisKey) {
    return Optional.empty();
  }

  /**
   * Why the scheme's library cannot keep a bitmap under a key.
   *
   * @return a full sentence that says which it takes; empty if it can
   */
  default Optional<String> keyProblem(String redisKey) {
    return Optional.empty();
  }

  /**
   * Computes where the bits of an element are.
   *
   * @param element the element's bytes
   * @param shape the filter's shape, one that {@link #shapeOf} gives back unchanged
   * @param positions filled from index 0 with {@code shape.numHashFunctions()} bit offsets within
   *     the segment, in the scheme's order, duplicates kept; must hold at least two values
   * @return the index of the segment, from 0
   * @throws UnsupportedElementException if the scheme is defined for text only, and the element is
   *     not valid UTF-8
   * @throws MissingKeyException if the scheme is keyed and its key is not known
   */
  int locate(byte[] element, FilterShape shape, long[] positions);

  /**
   * Likewise, of an element within an array, which may cost a copy of it.
   *
   * @param start index of its first byte
   * @param end index behind its last
   */
  default int locate(byte[] bytes, int start, int end, FilterShape shape, long[] positions) {
    return locate(Arrays.copyOfRange(bytes, start, end), shape, positions);
  }

  /**
   * Says that a filter full to its n has more false positives than asked for, and by how much,
   * where that is the scheme's own doing.
   *
   * @param expectedInsertions n, at least 1
   * @param falsePositiveProbability p, in (0, 1)
   * @param shape the filter's shape, as stored
   * @return full sentences for people; empty if the rate is at most 1.1 times the one asked for
   */
  default Optional<String> warning(
      long expectedInsertions, double falsePositiveProbability, FilterShape shape) {
    return Optional.empty();
  }
}
