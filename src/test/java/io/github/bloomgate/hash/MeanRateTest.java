package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The computed rate of small filters matches the measured one. */
class MeanRateTest {

  private static final int FILTERS = 2000;
  private static final int PROBES = 250;

  /** Shapes with a measurable rate. The last ones are optimal for few bits. */
  @ParameterizedTest
  @CsvSource({
    "1, 64, 255",
    "1, 128, 255",
    "2, 64, 40",
    "4, 64, 12",
    "10, 128, 12",
    "10, 192, 7",
    "30, 320, 7",
    "100, 960, 7",
    "6, 64, 7",
    "13, 192, 10"
  })
  void theMeanRateMatchesTheMeasuredOne(int n, int m, int k) {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var scheme = HashSchemes.nativeScheme();
    var shape = scheme.shapeOf(m, k);
    var positions = new long[k];
    var element = new byte[16];
    var sum = 0.0;
    var squares = 0.0;
    for (var filter = 0; filter < FILTERS; filter++) {
      var bits = new BitSet(m);
      for (var i = 0; i < n; i++) {
        random.nextBytes(element);
        scheme.locate(element, shape, positions);
        for (var position : positions) {
          bits.set((int) position);
        }
      }
      var maybe = 0;
      for (var i = 0; i < PROBES; i++) {
        random.nextBytes(element);
        scheme.locate(element, shape, positions);
        maybe += isSet(bits, positions) ? 1 : 0;
      }
      var rate = (double) maybe / PROBES;
      sum += rate;
      squares += rate * rate;
    }
    var measured = sum / FILTERS;
    var error = Math.sqrt(Math.max(0, squares / FILTERS - measured * measured) / FILTERS);

    var said = Sizing.meanFalsePositiveProbability(n, m, k);
    // Five standard errors, which one run in a million exceeds.
    assertEquals(measured, said, 5 * error + 5.0 / FILTERS / PROBES, "seed " + seed);
  }

  private static boolean isSet(BitSet bits, long[] positions) {
    for (var position : positions) {
      if (!bits.get((int) position)) {
        return false;
      }
    }
    return true;
  }

  /** Where the exact computation ends, the approximation continues at the same value. */
  @ParameterizedTest
  @CsvSource({"8, 2048, 177", "60, 1440, 17", "170, 1632, 7", "45, 3700, 51"})
  void theApproximationMeetsTheExactMean(int n, int m, int k) {
    var below = Sizing.meanFalsePositiveProbability(n, m, k);
    var above = Sizing.meanFalsePositiveProbability(10L * n, 10L * m, k);
    var ideal = Sizing.falsePositiveProbability(n, m, k);

    // A filter ten times as large has a tenth of the excess.
    assertEquals(Math.log(below / ideal) / 10, Math.log(above / ideal), 0.02);
  }

  @ParameterizedTest
  @CsvSource({"1000000, 9585059, 7", "10000000, 287551752, 20", "100000000000, 68719476736, 1"})
  void largeFiltersHaveTheIdealRate(long n, long m, int k) {
    var ideal = Sizing.falsePositiveProbability(n, m, k);

    assertEquals(ideal, Sizing.meanFalsePositiveProbability(n, m, k), ideal * 1e-4);
  }
}
