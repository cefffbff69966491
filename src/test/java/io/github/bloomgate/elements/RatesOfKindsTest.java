package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.support.TestInstance;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Law 3 for filters that have grown and for full windows, small and large, at all rates. Computes
 * the false-positive rate from the set bits, because counting rare events is too noisy. For small
 * filters, it takes the mean of several.
 */
@Tag("slow")
class RatesOfKindsTest extends GrowingFilters {

  private static final double[] RATES = {0.1, 0.01, 1e-3, 1e-6};

  /** The number of elements is up to fifty times the capacity. */
  @ParameterizedTest
  @ValueSource(ints = {10, 100, 1_000})
  void layersKeepTheRateTogether(int n) {
    try (var service = instance(true)) {
      for (var p : RATES) {
        assertKept(n, p, number -> grown(service, n, p, number));
      }
    }
  }

  private static double grown(TestInstance service, int n, double p, int number) {
    var name = name();
    service.create(name, growing(n, p, 1 << 30));
    add(service, name, number, 50 * n);
    var described = service.describe(name);
    var layers = described.filter().layers();
    assertEquals(6, layers.size());
    var none = 1.0;
    for (var i = 0; i < layers.size(); i++) {
      var shape = layers.get(i).shape();
      assertEquals(1, shape.segments());
      var fill = (double) described.layers().get(i).bitsSet() / shape.segmentBits();
      none *= 1 - Math.pow(fill, shape.numHashFunctions());
    }
    service.changes.delete(name, false);
    return 1 - none;
  }

  /** All remembered slices are full, and all slots have been used before. */
  @ParameterizedTest
  @CsvSource({
    "64, 2",
    "64, 8",
    "64, 64",
    "1000, 2",
    "1000, 8",
    "1000, 64",
    "10000, 2",
    "10000, 8",
    "10000, 64"
  })
  void slicesKeepTheRateTogether(int n, int slices) {
    try (var service = instance(true)) {
      for (var p : RATES) {
        assertKept(n, p, number -> full(service, n, slices, p, number));
      }
    }
  }

  private static double full(TestInstance service, int n, int slices, double p, int number) {
    var name = name();
    var window = Window.ofInsertions(n, slices, true);
    var filter = service.create(name, window.parameters(HashSchemes.nativeScheme(), n, p));
    assertEquals(1, filter.segments());
    // False positives are not added, so it takes more elements.
    add(service, name, number, 3 * n);
    var ring = filter.shape().segmentBits() / window.rings();
    var none = 1.0;
    for (var slice : service.describe(name).slices()) {
      var fill = (double) slice.bitsSet() / ring;
      none *= 1 - Math.pow(fill, filter.shape().numHashFunctions());
    }
    service.changes.delete(name, false);
    return 1 - none;
  }

  private static void add(TestInstance service, FilterName name, int number, int count) {
    for (var from = 0; from < count; from += 10_000) {
      var prefix = number + " " + from + " ";
      service.add(name, elements(prefix, Math.min(10_000, count - from)));
    }
  }

  private static void assertKept(int n, double p, ToDoubleFunction<Integer> rate) {
    var filters = Math.max(1, 600 / n);
    var mean = IntStream.range(0, filters).boxed().mapToDouble(rate).average().orElseThrow();
    assertTrue(mean <= 1.1 * p, () -> "n " + n + ", promised " + p + ", is " + mean);
    // A rate far below the target would mean that the test is broken. Small windows are an
    // exception, because their rings are rounded up, to twice the bits or more.
    assertTrue(n < 1_000 || mean >= p / 4, () -> "n " + n + ", promised " + p + ", is " + mean);
  }
}
