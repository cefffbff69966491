package io.github.bloomgate.elements;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.error.BloomException;
import java.util.ArrayList;
import java.util.List;

/** Elements for one or more generations, hashed once for all that share a scheme. Thread-safe. */
final class HashedElements {

  private final List<byte[]> elements;
  private final List<ElementHashes> known = new ArrayList<>(1);

  HashedElements(List<byte[]> elements) {
    this.elements = elements;
  }

  /**
   * Hashes the elements on the first call for a scheme, which includes its key and codec, and a
   * number of words.
   *
   * @throws BloomException as {@link ElementHashes#of}
   */
  synchronized ElementHashes of(HashScheme scheme, int numHashFunctions) {
    var width = scheme.numWords(numHashFunctions);
    for (var hashes : known) {
      if (hashes.width() == width && hashes.scheme().equals(scheme)) {
        return hashes;
      }
    }
    var hashes = ElementHashes.of(scheme, width, elements);
    known.add(hashes);
    return hashes;
  }
}
