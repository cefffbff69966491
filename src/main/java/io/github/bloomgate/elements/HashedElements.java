package io.github.bloomgate.elements;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.error.BloomException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Elements for one or more generations, hashed once for all that share a native scheme. */
final class HashedElements {

  private final List<byte[]> elements;
  private final Map<HashScheme, ElementHashes> hashes = new ConcurrentHashMap<>(2);

  HashedElements(List<byte[]> elements) {
    this.elements = elements;
  }

  int count() {
    return elements.size();
  }

  /**
   * Hashes the elements for a scheme on the first call.
   *
   * @throws BloomException SECRET_MISSING if the scheme is keyed and its secret is unknown
   */
  ElementHashes of(HashScheme scheme) {
    return hashes.computeIfAbsent(scheme, some -> ElementHashes.of(some, elements));
  }
}
