package io.github.bloomgate.elements;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.hash.MissingKeyException;
import io.github.bloomgate.hash.NativeScheme;
import io.github.bloomgate.hash.UnsupportedElementException;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.PackedElements;
import java.util.List;

/** Elements whose positions are computed, once for each layer they are looked for in. */
public sealed interface ElementHashes {

  /**
   * Elements of a filter; those of one with several layers are hashed here, once for all of them.
   *
   * @throws BloomException as {@link #locate}
   */
  static ElementHashes of(Filter filter, List<byte[]> elements) {
    return filter.grows() && filter.parameters().hashScheme() instanceof NativeScheme scheme
        ? Words.of(scheme, elements)
        : new Bytes(filter.parameters().hashScheme(), elements);
  }

  /** How many there are. */
  int count();

  /**
   * Computes where the bits of the element at an index are, see {@link HashScheme#locate}.
   *
   * @return its segment
   * @throws BloomException INVALID_REQUEST if the filter's scheme has no bits for the element;
   *     SECRET_MISSING if it is keyed and its secret is not known
   */
  int locate(int i, FilterShape shape, long[] positions);

  /** Elements that are hashed whenever they are looked at. */
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
  }

  /**
   * Elements that were hashed.
   *
   * @param words two of each element
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
