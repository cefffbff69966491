package io.github.bloomgate.elements;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.error.BloomException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Elements for one or more generations, hashed once for all that share a scheme. */
final class HashedElements {

  private final List<byte[]> elements;
  private final Map<Hash, ElementHashes> hashes = new ConcurrentHashMap<>(2);

  /** How elements are hashed; a scheme includes its key and codec. */
  private record Hash(HashScheme scheme, int width) {}

  HashedElements(List<byte[]> elements) {
    this.elements = elements;
  }

  /**
   * Hashes the elements on the first call for a scheme and number of words.
   *
   * @throws BloomException as {@link ElementHashes#of}
   */
  ElementHashes of(HashScheme scheme, int numHashFunctions) {
    return hashes.computeIfAbsent(
        new Hash(scheme, scheme.numWords(numHashFunctions)),
        some -> ElementHashes.of(some.scheme, some.width, elements));
  }
}
