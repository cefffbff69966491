package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.support.TestCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of filters that count: version 3, whose bytes never change either. */
class CountingFileTest {

  /** Made by {@link #golden} and frozen. */
  private static final Path GOLDEN = Path.of("src/test/resources/portable/golden-counting.bloom");

  private static final int ELEMENTS = 200;

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 5_000, 300_000})
  void whatIsWrittenIsRead(long n) {
    var seed = System.nanoTime();
    for (var parameters : new FilterParameters[] {counting(n), counting(n).withBits()}) {
      var file = SampleFile.random(new Random(seed), header(parameters), 0.5);
      assertRoundTrip(file, parameters.counting() || n > 100_000 ? 3 : 1, "seed " + seed);
    }
  }

  @Test
  void theGoldenFileIsWrittenAsItWas() throws IOException {
    if (Boolean.getBoolean("test.write-golden")) {
      Files.write(GOLDEN, golden().write());
    }
    assertArrayEquals(Files.readAllBytes(GOLDEN), golden().write());
    assertRoundTrip(SampleFile.read(Files.readAllBytes(GOLDEN)), 3, "golden");
  }

  /** Element i was added 1 + i modulo 16 times. */
  static SampleFile golden() {
    var parameters =
        FilterParameters.counting(HashSchemes.nativeScheme(), 1_000, 0.001, WhenFull.REJECT);
    return counted(parameters, ELEMENTS);
  }

  /** Likewise of several segments. */
  static SampleFile severalSegments() {
    return counted(counting(300_000), ELEMENTS);
  }

  private static SampleFile counted(FilterParameters parameters, int elements) {
    var file = new SampleFile(header(parameters));
    var shape = parameters.shape();
    for (var segment = 0; segment < shape.segments(); segment++) {
      file.bitmaps.add(file.empty(segment));
      file.insertions.add(0L);
      file.snapshots.add(true);
    }
    var places = Counters.of(shape);
    var positions = new long[places.numHashFunctions()];
    for (var i = 0; i < elements; i++) {
      var element = ("element " + i).getBytes(StandardCharsets.UTF_8);
      var segment = parameters.hashScheme().locate(element, places, positions);
      for (var times = 1 + i % 16; times > 0; times--) {
        raise(file.bitmaps.get(segment), positions);
        file.insertions.set(segment, file.insertions.get(segment) + 1);
      }
    }
    return file;
  }

  private static void raise(byte[] counters, long[] positions) {
    for (var place : Arrays.stream(positions).distinct().toArray()) {
      var shift = place % 2 == 0 ? 4 : 0;
      var at = (int) (place / 2);
      var counter = counters[at] >> shift & 15;
      if (counter < 15) {
        counters[at] += (byte) (1 << shift);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"content\":\"counters\"|\"content\":\"slices\"",
        "\"content\":\"counters\"|\"content\":\"COUNTERS\"",
        "\"content\":\"counters\"|\"content\":4",
        "\"content\":\"counters\",|",
        "\"content\":\"counters\"|\"content\":\"counters\",\"layers\":[]",
        "\"whenFull\":\"reject\"|\"whenFull\":\"grow\"",
        "\"hashScheme\":\"bloomgate-1\"|\"hashScheme\":\"guava-mitz-64\"",
        "\"segments\":1|\"segments\":2",
        "\"segments\":1|\"segments\":0",
        "\"segmentBits\":57600|\"segmentBits\":57664",
        "\"segmentBits\":57600|\"segmentBits\":16777472",
        "\"segmentBits\":57600|\"segmentBits\":0",
        "\"numHashFunctions\":10|\"numHashFunctions\":0",
        "\"expectedInsertions\":1000|\"expectedInsertions\":0",
        "\"falsePositiveProbability\":0.001|\"falsePositiveProbability\":1.0"
      })
  void aWrongHeaderIsRefused(String part, String replacement) {
    var json = json(golden().header);
    assertTrue(json.contains(part), json);
    var other = replacement == null ? "" : replacement;
    assertBad(json.replaceFirst(Pattern.quote(part), other), 3);
  }

  @Test
  void aHeaderOfAnotherVersionIsRefused() {
    var counting = json(golden().header);
    assertBad(counting, 1);
    assertBad(counting, 2);
    assertBad(json(SampleFile.header(1000, 3)), 3);
    assertBad(json(GrownFileTest.golden().header), 3);
  }

  /** As many small segments as fit in a file would be many keys. */
  @Test
  void moreSegmentsThanAFilterHasAreRefused() {
    var small = counting(300_000);
    for (var isCounting : new boolean[] {true, false}) {
      var parameters = isCounting ? small : small.withBits();
      var shape = parameters.shape();
      var cut = new FilterShape(4 * shape.segments(), shape.segmentBits() / 256 * 64, 5);
      var json =
          json(header(parameters))
              .replace("\"segments\":" + shape.segments(), "\"segments\":" + cut.segments())
              .replace("" + shape.segmentBits(), "" + cut.segmentBits());
      assertBad(json, 3);
    }
  }

  private static FilterParameters counting(long n) {
    return TestCounters.counting(n);
  }

  private static FileHeader header(FilterParameters parameters) {
    return new FileHeader(
        new FilterName("counting"), parameters, 2, Instant.parse("2026-11-23T13:00:00.123Z"));
  }

  private static String json(FileHeader header) {
    return new String(HeaderJson.write(header), StandardCharsets.US_ASCII);
  }

  private static void assertBad(String json, int version) {
    var bytes = json.getBytes(StandardCharsets.US_ASCII);
    assertThrows(BadHeader.class, () -> HeaderJson.read(version, bytes, 0, bytes.length));
  }

  private static void assertRoundTrip(SampleFile file, int version, String told) {
    var bytes = file.write();
    assertEquals(version, bytes[11], told);
    assertEquals(bytes.length, FilterFileWriter.length(file.header), told);
    var read = SampleFile.read(bytes);
    assertEquals(file.header, read.header, told);
    assertEquals(file.insertions, read.insertions, told);
    assertEquals(file.snapshots, read.snapshots, told);
    assertArrayEquals(bytes, read.write(), told);
  }
}
