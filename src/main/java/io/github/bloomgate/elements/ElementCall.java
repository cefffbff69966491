package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.lines.PackedElements;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An operation on elements in one or more filters, which hashes them once for all generations that
 * share a scheme. Thread-safe.
 */
final class ElementCall {

  enum Kind {
    ADD,
    REMOVE,
    TEST,
    COUNT;

    boolean changes() {
      return this == ADD || this == REMOVE;
    }
  }

  /** Up to this many pairs of filter and element are prepared on the event loop. */
  private static final int MOST_ON_LOOP = 1_024;

  /**
   * Up to this many bytes are hashed on the event loop, in a few milliseconds. Each counts once for
   * each hash function, because some schemes read an element that often.
   */
  private static final long MOST_BYTES_ON_LOOP = 4 << 20;

  /** Hashing an element takes about as long as this many more bytes. */
  private static final int BYTES_TO_START = 64;

  /** For a request to one filter, without its elements. */
  private static final int BYTES_PER_REQUEST = 8 << 10;

  /** For each element in a generation: its answer, its layer, its count and its flags. */
  private static final int BYTES_PER_ANSWER = 12;

  /** For each position of a round, in an array that doubles. */
  private static final int BYTES_PER_POSITION = 2 * Integer.BYTES;

  private final Kind kind;
  private final List<byte[]> elements;
  private final Durability durability;
  private final Client client;
  private final Optional<String> next;
  private final List<ElementHashes> hashed = new ArrayList<>(1);

  /**
   * @param durability the servers a change must reach before it is done
   * @param client waits for it
   * @param next the incarnation of a next generation, to add elements only to that
   */
  ElementCall(
      Kind kind,
      List<byte[]> elements,
      Durability durability,
      Client client,
      Optional<String> next) {
    this.kind = kind;
    this.elements = elements;
    this.durability = durability;
    this.client = client;
    this.next = next;
  }

  Kind kind() {
    return kind;
  }

  Client client() {
    return client;
  }

  Optional<String> next() {
    return next;
  }

  boolean isReplicated() {
    return durability == Durability.REPLICATED && kind.changes();
  }

  /**
   * Hashes the elements on the first call for a scheme, which includes its key and codec, and a
   * number of words.
   *
   * @throws BloomException as {@link ElementHashes#of}
   */
  synchronized ElementHashes hash(HashScheme scheme, int numHashFunctions) {
    var width = scheme.numWords(numHashFunctions);
    for (var hashes : hashed) {
      if (hashes.width() == width && hashes.scheme().equals(scheme)) {
        return hashes;
      }
    }
    var hashes = ElementHashes.of(scheme, width, elements);
    hashed.add(hashes);
    return hashes;
  }

  /**
   * The memory for requests to these filters, in bytes: hashes, answers, and positions as far as a
   * round computes them.
   */
  long memory(List<Filter> found) {
    var hashings = new ArrayList<Hashing>(1);
    var perElement = 0L;
    var positions = 0L;
    for (var filter : found) {
      for (var generation : filter.generations()) {
        var hashing = Hashing.of(generation);
        perElement += BYTES_PER_ANSWER;
        if (!hashings.contains(hashing)) {
          hashings.add(hashing);
          perElement += (long) Long.BYTES * hashing.width;
        }
        for (var layer : generation.layers()) {
          positions += layer.places().numHashFunctions();
        }
      }
    }
    return (long) BYTES_PER_REQUEST * found.size()
        + perElement * elements.size()
        + BYTES_PER_POSITION * Math.min(positions * elements.size(), RoundRoom.MOST_WORK);
  }

  BloomException tooLarge(List<Filter> found, long bytes, long most) {
    return RequestErrors.limitExceeded(
        "%d elements for %d filters, with up to %d hash functions, take %d bytes of memory; the limit is %d. Send fewer elements at a time, or name fewer filters."
            .formatted(
                elements.size(),
                found.size(),
                found.stream().mapToInt(Filter::mostHashFunctions).max().orElseThrow(),
                bytes,
                most));
  }

  /** What the hashes of an element depend on. */
  private record Hashing(HashScheme scheme, int width) {

    private static Hashing of(Generation generation) {
      var scheme = generation.scheme();
      var first = generation.layers().get(0);
      return new Hashing(scheme, scheme.numWords(first.places().numHashFunctions()));
    }
  }

  /** Whether hashing the elements would block an event loop. */
  boolean takesLong(List<Filter> found) {
    if ((long) found.size() * elements.size() > MOST_ON_LOOP) {
      return true;
    }
    var hashFunctions = 0L;
    for (var filter : found) {
      hashFunctions += filter.mostHashFunctions();
    }
    var bytes = PackedElements.bytesOf(elements) + (long) BYTES_TO_START * elements.size();
    return hashFunctions * bytes > MOST_BYTES_ON_LOOP;
  }
}
