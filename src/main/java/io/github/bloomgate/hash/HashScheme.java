package io.github.bloomgate.hash;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A frozen rule that maps an element's bytes to bit positions, with its sizing rule, limits and
 * element encoding.
 *
 * <p>Implementations are stateless and thread-safe. The results of a released scheme never change,
 * because filters in Redis depend on them. There is one instance of each scheme and codec; a keyed
 * scheme has one for each {@link KeyOrigin}, and these are equal if their origins are.
 */
public sealed interface HashScheme permits NativeScheme, LibraryScheme {

  /** The stable name under which filters store their scheme. */
  String id();

  /**
   * The codec that turns an element into the bytes to hash.
   *
   * @return its name; empty if the scheme has no choice of codecs
   */
  default Optional<String> elementCodec() {
    return Optional.empty();
  }

  /**
   * The shape for a number of elements at a false-positive probability. Only for new filters; an
   * existing filter keeps its stored shape.
   *
   * @param expectedInsertions n, at least 1
   * @param falsePositiveProbability p, in (0, 1)
   * @throws IllegalArgumentException if the scheme has no such rule or the shape exceeds its
   *     limits; the message names the value and the limit
   */
  FilterShape shapeFor(long expectedInsertions, double falsePositiveProbability);

  /**
   * The shape that older versions of the scheme's library compute, if it differs.
   *
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
   * The default number of hash functions if only the bits are given.
   *
   * @return k; empty if the caller must choose
   */
  default OptionalInt defaultNumHashFunctions() {
    return OptionalInt.empty();
  }

  /** Whether a filter can have no other number of hash functions than the default. */
  default boolean hasOneNumHashFunctions() {
    return false;
  }

  /**
   * Whether other programs keep bitmaps of the scheme as Redis strings, so that a filter can share
   * one.
   */
  default boolean isAdoptable() {
    return true;
  }

  /** Whether it is this service's own, so that filters can grow, have a window or count. */
  default boolean isNative() {
    return this instanceof NativeScheme;
  }

  /** Whether positions also depend on a secret key. */
  default boolean isKeyed() {
    return this instanceof Bloomgate1Keyed;
  }

  /**
   * The origin of the key.
   *
   * @return empty if the scheme is not keyed, or no filter exists yet and it only computes shapes
   */
  default Optional<KeyOrigin> keyOrigin() {
    return Optional.empty();
  }

  /** Whether {@link #locate} works; false only for a keyed scheme without its key. */
  default boolean canLocate() {
    return true;
  }

  /**
   * The Redis hash in which the scheme's library keeps the shape of the filter whose bitmap is
   * under a key.
   *
   * @return the hash's key; empty if the library has none
   */
  default Optional<String> configKey(String redisKey) {
    return Optional.empty();
  }

  /**
   * The Redis string in which the scheme's library counts the adds that changed a bit.
   *
   * @return the counter's key; empty if the library does not count
   */
  default Optional<String> counterKey(String redisKey) {
    return Optional.empty();
  }

  /**
   * The additional Redis key that the scheme's library keeps only for a sliding filter. The library
   * replaces the bitmap of such a filter as time passes, so it cannot be shared.
   *
   * @return empty if the library has no sliding filters
   */
  default Optional<String> slidingKey(String redisKey) {
    return Optional.empty();
  }

  /**
   * Why the scheme's library cannot keep a bitmap under a key.
   *
   * @return a full sentence naming the keys it accepts; empty if this key is fine
   */
  default Optional<String> keyProblem(String redisKey) {
    return Optional.empty();
  }

  /**
   * The number of words that {@link #hash} makes of an element, at least 2.
   *
   * @param numHashFunctions k of the filter
   */
  default int numWords(int numHashFunctions) {
    return 2;
  }

  /**
   * Hashes an element, once for all filters of the scheme with the same number of words.
   *
   * @param start index of its first byte
   * @param end index after its last byte
   * @param words receives the words from index 0; holds as many as {@link #numWords}
   * @throws UnsupportedElementException as {@link #locate}
   * @throws IllegalStateException as {@link #locate}
   */
  void hash(byte[] bytes, int start, int end, long[] words);

  /**
   * Computes where the bits of an element are from its words.
   *
   * @param words of any elements
   * @param at the index of the element's first word
   * @param positions filled as by {@link #locate}
   * @return the index of the segment, from 0
   */
  int place(long[] words, int at, FilterShape shape, long[] positions);

  /**
   * Computes where the bits of an element are: hashes and places it.
   *
   * @param element the element's bytes
   * @param shape the filter's shape, which {@link #shapeOf} must return unchanged
   * @param positions filled from index 0 with {@code shape.numHashFunctions()} bit offsets within
   *     the segment, in the scheme's order, duplicates kept
   * @return the index of the segment, from 0
   * @throws UnsupportedElementException if the scheme accepts text only and the element is not
   *     valid UTF-8
   * @throws IllegalStateException if the scheme is keyed and its key is unknown
   */
  default int locate(byte[] element, FilterShape shape, long[] positions) {
    long[] words = new long[numWords(shape.numHashFunctions())];
    hash(element, 0, element.length, words);
    return place(words, 0, shape, positions);
  }

  /**
   * Warns if the scheme makes the false-positive rate at n elements higher than requested, and by
   * how much.
   *
   * @return full sentences for people; empty if the rate is at most 1.1 times the requested one
   */
  default Optional<String> warning(
      long expectedInsertions, double falsePositiveProbability, FilterShape shape) {
    return Optional.empty();
  }
}
