package io.github.bloomgate.elements;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.UnsupportedElementException;
import io.github.bloomgate.lines.PackedElements;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.List;

/**
 * Hashed elements, whose positions are computed for each layer.
 *
 * @param width the number of words of an element
 */
public record ElementHashes(HashScheme scheme, int width, long[] words) {

  /**
   * Hashes elements.
   *
   * @param width see {@link HashScheme#numWords}
   * @throws BloomException INVALID_REQUEST if the scheme does not accept an element; SECRET_MISSING
   *     if it is keyed and its secret is unknown
   */
  public static ElementHashes of(HashScheme scheme, int width, List<byte[]> elements) {
    HashSecrets.requireKey(scheme);
    var hashes = new ElementHashes(scheme, width, new long[width * elements.size()]);
    var words = new long[width];
    for (var i = 0; i < elements.size(); i++) {
      try {
        if (elements instanceof PackedElements packed) {
          scheme.hash(packed.bytes(), packed.start(i), packed.end(i), words);
        } else {
          var element = elements.get(i);
          scheme.hash(element, 0, element.length, words);
        }
      } catch (UnsupportedElementException unsupported) {
        throw RequestErrors.invalid(
            "The element at index %d %s. Nothing was changed; correct it and repeat the request."
                .formatted(i, unsupported.getMessage()));
      }
      System.arraycopy(words, 0, hashes.words, width * i, width);
    }
    return hashes;
  }

  public int count() {
    return words.length / width;
  }

  /**
   * Computes the bit positions of the element at an index, see {@link HashScheme#place}.
   *
   * @return its segment
   */
  public int locate(int i, FilterShape shape, long[] positions) {
    return scheme.place(words, width * i, shape, positions);
  }
}
