package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.FoundFilter;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.lines.PackedElements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An operation on elements in one or more filters, which hashes them once for all generations that
 * share a scheme. Thread-safe.
 */
final class ElementCall {

  /** Up to this many elements are hashed on the event loop, in a fraction of a millisecond. */
  private static final int MOST_ON_LOOP = 1_024;

  /**
   * Up to this many bytes are hashed on the event loop, in a few milliseconds. Each counts once for
   * each hash function, because some schemes read an element that often.
   */
  private static final long MOST_BYTES_ON_LOOP = 4 << 20;

  private static final int BYTES_PER_REQUEST = 8 << 10;
  private static final int BYTES_PER_ELEMENT = 64;
  private static final int BYTES_PER_POSITION = 8;

  private final Kind kind;
  private final List<byte[]> elements;
  private final Durability durability;
  private final Optional<String> next;
  private final List<ElementHashes> hashed = new ArrayList<>(1);

  /**
   * @param durability the servers a change must reach before it is done
   * @param next the incarnation of a next generation, to add elements only to that
   */
  ElementCall(Kind kind, List<byte[]> elements, Durability durability, Optional<String> next) {
    this.kind = kind;
    this.elements = elements;
    this.durability = durability;
    this.next = next;
  }

  Kind kind() {
    return kind;
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

  /** A request to each filter; fails as {@link ElementRequest}. */
  List<ElementRequest> requests(List<FoundFilter> found) {
    var requests = new ArrayList<ElementRequest>(found.size());
    for (var filter : found) {
      requests.add(new ElementRequest(this, filter));
    }
    return requests;
  }

  /** The memory for requests to these filters, in bytes. */
  long memory(List<FoundFilter> found) {
    var bytes = (long) BYTES_PER_REQUEST * found.size();
    for (var filter : found) {
      var ofElement = BYTES_PER_ELEMENT + BYTES_PER_POSITION * filter.mostHashFunctions();
      bytes += (long) ofElement * elements.size();
    }
    return bytes;
  }

  /** Whether hashing the elements would block an event loop. */
  boolean takesLong(List<FoundFilter> found) {
    if ((long) found.size() * elements.size() > MOST_ON_LOOP) {
      return true;
    }
    var hashFunctions = 0L;
    for (var filter : found) {
      hashFunctions += filter.mostHashFunctions();
    }
    return hashFunctions * PackedElements.bytesOf(elements) > MOST_BYTES_ON_LOOP;
  }
}
