package io.github.bloomgate.elements;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.hash.MissingKeyException;
import io.github.bloomgate.hash.NativeScheme;
import io.github.bloomgate.hash.UnsupportedElementException;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.PackedElements;
import java.util.List;

/** Elements whose positions are computed for each layer. */
public sealed interface ElementHashes {

  /**
   * Hashes elements for a native scheme, once for all layers.
   *
   * @throws BloomException SECRET_MISSING if the scheme is keyed and its secret is unknown
   */
  static ElementHashes of(HashScheme scheme, List<byte[]> elements) {
    return scheme instanceof NativeScheme own
        ? Words.of(own, elements)
        : new Bytes(scheme, elements);
  }

  int count();

  /**
   * Computes the bit positions of the element at an index, see {@link HashScheme#locate}.
   *
   * @return its segment
   * @throws BloomException INVALID_REQUEST if the filter's scheme does not accept the element;
   *     SECRET_MISSING if it is keyed and its secret is unknown
   */
  int locate(int i, FilterShape shape, long[] positions);

  /** The segment of the element at an index; fails as {@link #locate}. */
  int segment(int i, FilterShape shape);

  /** Elements of a library's scheme, hashed on each use. */
  record Bytes(HashScheme scheme, List<byte[]> elements) implements ElementHashes {

    @Override
    public int count() {
      return elements.size();
    }

    @Override
    public int locate(int i, FilterShape shape, long[] positions) {
      try {
        return elements instanceof PackedElements packed
            ? scheme.locate(packed.bytes(), packed.start(i), packed.end(i), shape, positions)
            : scheme.locate(elements.get(i), shape, positions);
      } catch (UnsupportedElementException unsupported) {
        throw RequestErrors.unsupportedElement(i, unsupported.getMessage());
      } catch (MissingKeyException missing) {
        throw secretMissing(missing);
      }
    }

    @Override
    public int segment(int i, FilterShape shape) {
      return locate(i, shape, new long[Math.max(2, shape.numHashFunctions())]);
    }
  }

  /**
   * Hashed elements of a native scheme.
   *
   * @param words two for each element
   */
  record Words(long[] words) implements ElementHashes {

    private static Words of(NativeScheme scheme, List<byte[]> elements) {
      var words = new long[2 * elements.size()];
      var pair = new long[2];
      try {
        for (var i = 0; i < elements.size(); i++) {
          if (elements instanceof PackedElements packed) {
            scheme.hash(packed.bytes(), packed.start(i), packed.end(i), pair);
          } else {
            var element = elements.get(i);
            scheme.hash(element, 0, element.length, pair);
          }
          words[2 * i] = pair[0];
          words[2 * i + 1] = pair[1];
        }
      } catch (MissingKeyException missing) {
        throw secretMissing(missing);
      }
      return new Words(words);
    }

    @Override
    public int count() {
      return words.length / 2;
    }

    long first(int i) {
      return words[2 * i];
    }

    long second(int i) {
      return words[2 * i + 1];
    }

    Words of(int[] order, int first, int count) {
      var some = new long[2 * count];
      for (var i = 0; i < count; i++) {
        some[2 * i] = words[2 * order[first + i]];
        some[2 * i + 1] = words[2 * order[first + i] + 1];
      }
      return new Words(some);
    }

    @Override
    public int segment(int i, FilterShape shape) {
      return NativeScheme.segment(shape, words[2 * i]);
    }

    @Override
    public int locate(int i, FilterShape shape, long[] positions) {
      positions[0] = words[2 * i];
      positions[1] = words[2 * i + 1];
      return NativeScheme.expand(shape, positions);
    }
  }

  private static BloomException secretMissing(MissingKeyException missing) {
    return FilterErrors.secretMissing(missing.origin().map(KeyOrigin::secretId).orElse("(none)"));
  }
}
