package io.github.bloomgate.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.SliceStatistics;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.segment.Answer;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.segment.SegmentFormat;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Window filters with the sizes that users get, without Redis. */
class WindowedFilterTest {

  private static final long WINDOW_SECONDS = 64;
  private static final long BEGIN = 1_000_000_000_000L;
  private static final int PROBES = 100_000;

  private final long seed = System.nanoTime();
  private final SplittableRandom random = new SplittableRandom(seed);

  /** A filter whose segments are copies. */
  private static final class Content {

    private final FilterParameters parameters;
    private final Layer layer;
    private final List<SegmentCopy> segments;
    private final long[] words;
    private final int[] positions;

    Content(FilterParameters parameters) {
      this.parameters = parameters;
      var shape = parameters.shape();
      layer =
          new Layer(
              0,
              parameters.expectedInsertions(),
              parameters.falsePositiveProbability(),
              shape,
              Optional.empty());
      var format = parameters.segmentFormat(layer);
      segments =
          IntStream.range(0, shape.segments()).mapToObj(i -> SegmentCopy.empty(format)).toList();
      words = new long[Math.max(2, shape.numHashFunctions())];
      positions = new int[shape.numHashFunctions()];
    }

    private SegmentCopy locate(long element) {
      var bytes = ByteBuffer.allocate(Long.BYTES).putLong(element).array();
      var places = parameters.places(parameters.shape());
      var segment = parameters.hashScheme().locate(bytes, places, words);
      for (var i = 0; i < positions.length; i++) {
        positions[i] = (int) words[i];
      }
      return segments.get(segment);
    }

    Answer add(long element, long millis) {
      return locate(element).content().add(positions, 0, millis);
    }

    boolean test(long element, long millis) {
      var content = locate(element).content();
      content.advanceTo(millis);
      return content.contains(positions, 0);
    }

    Filter filter() {
      var name = new FilterName("w");
      return new Filter(
          name,
          parameters,
          List.of(layer),
          Optional.empty(),
          new ContentId(name, "0".repeat(16)),
          1,
          "0",
          Instant.EPOCH,
          Optional.empty(),
          false,
          Optional.empty(),
          "",
          false);
    }

    List<SegmentCounts> counts(long millis) {
      return segments.stream().map(segment -> segment.counts(millis)).toList();
    }
  }

  private static FilterParameters parameters(long n, double p, int slices, boolean refresh) {
    return Window.ofSeconds(WINDOW_SECONDS, slices, refresh)
        .parameters(HashSchemes.nativeScheme(), n, p);
  }

  @ParameterizedTest
  @CsvSource({
    "10, 0.01, 8, true",
    "20000, 0.01, 2, true",
    "20000, 0.01, 8, true",
    "20000, 0.01, 8, false",
    "20000, 0.001, 64, true",
    "1000000, 0.01, 8, true"
  })
  void aBurstOfNewElementsKeepsTheRate(int n, double p, int slices, boolean refresh) {
    var content = new Content(parameters(n, p, slices, refresh));
    var added = 0;
    for (var element = 0; element < n; element++) {
      added += content.add(element, BEGIN) == Answer.CHANGED ? 1 : 0;
    }
    assertTrue(added >= n * (1 - p) - 1, "only %d are new".formatted(added));
    for (var element = 0; element < n; element++) {
      assertTrue(content.test(element, BEGIN + 1_000 * WINDOW_SECONDS - 1));
    }
    var maybe = 0;
    for (var i = 0; i < PROBES; i++) {
      maybe += content.test(random.nextLong(Long.MIN_VALUE, 0), BEGIN) ? 1 : 0;
    }
    var noise = 4 * Math.sqrt(p * PROBES);
    assertTrue(maybe <= 1.1 * p * PROBES + noise, "%d, seed %d".formatted(maybe, seed));

    var statistics = FilterStatistics.of(content.filter(), content.counts(BEGIN));
    assertEquals(added, statistics.insertions());
    assertEquals(n, (double) statistics.approximateElementCount().orElseThrow(), 1 + 0.02 * n);
    assertTrue(statistics.estimatedFalsePositiveProbability() <= 1.1 * p);
    assertFalse(statistics.isOverfull());
    var slice = 1_000 * WINDOW_SECONDS / slices;
    assertEquals(
        List.of(),
        SliceStatistics.of(
            content.filter(), content.counts(BEGIN + 1_000 * WINDOW_SECONDS + slice)));
  }

  @Test
  void slicesAreShownFromTheNewestOn() {
    var content = new Content(parameters(1_600, 0.01, 8, true));
    IntStream.range(0, 150).forEach(i -> content.add(i, BEGIN));
    IntStream.range(150, 160).forEach(i -> content.add(i, BEGIN + 20_000));
    var slices = SliceStatistics.of(content.filter(), content.counts(BEGIN + 20_000));
    assertEquals(List.of(10L, 50L, 100L), slices.stream().map(SliceStatistics::elements).toList());
    assertEquals(Optional.of(Instant.ofEpochMilli(BEGIN + 20_000)), slices.get(0).openedAt());
    assertEquals(Optional.of(Instant.ofEpochMilli(BEGIN + 8_000)), slices.get(1).closesAt());
    assertEquals(Optional.of(Instant.ofEpochMilli(BEGIN)), slices.get(2).closesAt());
    assertEquals(
        FilterStatistics.of(content.filter(), content.counts(BEGIN + 20_000)).bitsSet(),
        slices.stream().mapToLong(SliceStatistics::bitsSet).sum());
  }

  @Test
  void moreElementsThanItsCapacityMakeItOverfull() {
    var content = new Content(parameters(1_600, 0.01, 64, true));
    IntStream.range(0, 3_200).forEach(i -> content.add(i, BEGIN));
    assertTrue(FilterStatistics.of(content.filter(), content.counts(BEGIN)).isOverfull());
    var later = BEGIN + 1_000 * WINDOW_SECONDS;
    assertFalse(FilterStatistics.of(content.filter(), content.counts(later)).isOverfull());
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "10, 64", "3000000, 8", "100000000, 64", "100000000, 8"})
  void segmentsHaveRingsOfWholeWords(long n, int slices) {
    for (var window :
        List.of(Window.ofSeconds(1, slices, true), Window.ofInsertions(n + slices, slices, true))) {
      for (var p : new double[] {0.1, 1e-6}) {
        var some = window.parameters(HashSchemes.nativeScheme(), n, p);
        var shape = some.shape();
        assertTrue(window.isIn(shape), shape.toString());
        assertEquals(0, shape.segmentBits() % (64L * window.rings()));
        assertTrue(shape.segmentBits() <= 1 << 24);
      }
    }
  }

  @Test
  void headersCountTheElementsOfTheirSegments() {
    var n = 1_000;
    for (var parameters :
        List.of(
            parameters(n, 0.01, 4, true),
            Window.ofInsertions(n, 4, true).parameters(HashSchemes.nativeScheme(), n, 0.01),
            Counters.parameters(HashSchemes.nativeScheme(), n, 0.01, WhenFull.ACCEPT),
            FilterParameters.forElements(HashSchemes.nativeScheme(), n, 0.01, WhenFull.ACCEPT))) {
      var content = new Content(parameters);
      IntStream.range(0, n).forEach(i -> content.add(i, BEGIN + i));
      var string = content.segments.get(0).fold();
      SegmentFormat format = parameters.segmentFormat(content.layer);
      var header = Arrays.copyOfRange(string, format.bitmapBytes(), string.length);
      var counts = format.counts(header, BEGIN);
      assertEquals(content.counts(BEGIN), List.of(counts));
      assertTrue(counts.insertions() > 0.95 * n && counts.placesSet() > 0);
    }
  }
}
