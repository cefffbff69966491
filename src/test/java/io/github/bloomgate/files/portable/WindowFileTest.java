package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.filters.FilterReader;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.segment.SegmentCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of filters that forget: version 3 with slices, whose bytes never change either. */
class WindowFileTest {

  /** Made by {@link #golden} and frozen. */
  private static final Path GOLDEN = Path.of("src/test/resources/portable/golden-window.bloom");

  private static final Window DAY = Window.ofSeconds(86_400, 4, true);

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 5_000, 3_000_000})
  void aWrittenFileIsReadBack(long n) {
    var seed = System.nanoTime();
    for (var slices : new int[] {2, 8, 64}) {
      for (var window :
          new Window[] {Window.ofSeconds(n, slices, false), Window.ofInsertions(n, slices, true)}) {
        var parameters = window.parameters(HashSchemes.nativeScheme(), n, 0.01);
        var file = SampleFile.random(new Random(seed), header(parameters), 0.5);
        for (var segment = 0; segment < parameters.shape().segments(); segment++) {
          file.newest.add((long) segment);
          file.rings.add(new byte[FileLayout.ringsBytes(parameters)]);
        }
        assertRoundTrip(file, window + ", seed " + seed);
      }
    }
  }

  @Test
  void theGoldenFileIsWrittenUnchanged() throws IOException {
    if (Boolean.getBoolean("test.write-golden")) {
      Files.write(GOLDEN, golden().write());
    }
    assertArrayEquals(Files.readAllBytes(GOLDEN), golden().write());
    assertRoundTrip(SampleFile.read(Files.readAllBytes(GOLDEN)), "golden");
  }

  /** Element i was added i modulo 5 slices after the first. */
  static SampleFile golden() {
    return filled(DAY.parameters(HashSchemes.nativeScheme(), 1_000, 0.001));
  }

  /** A filter of several segments. */
  static SampleFile severalSegments() {
    return filled(
        Window.ofInsertions(3_000_000, 4, false)
            .parameters(HashSchemes.nativeScheme(), 3_000_000, 0.01));
  }

  private static SampleFile filled(FilterParameters parameters) {
    var ring = parameters.window().orElseThrow().ring(parameters.shape());
    var format = FilterReader.format(parameters, FilterPlan.of(parameters).layers().get(0));
    var segments = Stream.generate(() -> SegmentCopy.empty(format)).limit(ring.segments()).toList();
    var located = new long[ring.numHashFunctions()];
    for (var slice = 0; slice < 5; slice++) {
      for (var i = slice; i < 200; i += 5) {
        var element = ("element " + i).getBytes(StandardCharsets.UTF_8);
        var segment = segments.get(parameters.hashScheme().locate(element, ring, located));
        var positions = Arrays.stream(located).mapToInt(Math::toIntExact).toArray();
        segment.content().add(positions, 0, 1_771_200_000_000L + slice * 21_600_000L);
      }
    }
    var file = new SampleFile(header(parameters));
    for (var segment : segments) {
      file.bitmaps.add(segment.bitmap());
      file.insertions.add(segment.content().insertions());
      file.snapshots.add(true);
      file.newest.add(1_771_286_400_000L);
      file.rings.add(segment.content().kindHeader());
    }
    return file;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"content\":\"slices\"|\"content\":\"bits\"",
        "\"content\":\"slices\"|\"content\":\"counters\"",
        "\"window\":{|\"windows\":{",
        "\"window\":{|\"window\":[],\"more\":{",
        "\"whenFull\":\"accept\"|\"whenFull\":\"reject\"",
        "\"hashScheme\":\"bloomgate-1\"|\"hashScheme\":\"go-zero\"",
        "\"seconds\":86400|\"seconds\":0",
        "\"seconds\":86400|\"insertions\":86400",
        "\"seconds\":86400|\"seconds\":86400,\"insertions\":1000",
        "\"rings\":20|\"rings\":21",
        "\"rings\":20|\"ring\":20",
        "\"slices\":4|\"slices\":5",
        "\"slices\":4|\"slices\":1",
        "\"slices\":4|\"slices\":65",
        "\"refresh\":true|\"refresh\":1",
        "\"refresh\":true|\"refresh\":null",
        "\"segments\":1|\"segments\":2"
      })
  void aWrongHeaderIsRefused(String part, String replacement) {
    var json = new String(HeaderJson.write(golden().header), StandardCharsets.US_ASCII);
    assertTrue(json.contains(part), json);
    assertBad(json.replaceFirst(Pattern.quote(part), replacement), 3);
  }

  @Test
  void aHeaderOfAnotherVersionIsRefused() {
    var json = new String(HeaderJson.write(golden().header), StandardCharsets.US_ASCII);
    assertBad(json, 1);
    assertBad(json, 2);
  }

  /** At 8 is the latest time, at 16 the newest ring, and at 24 the begin of a ring. */
  @ParameterizedTest
  @CsvSource({"8, -1", "8, 1125899906842625", "16, -1", "24, 9223372036854775807", "48, -1"})
  void ringsThatCannotBeAreRefused(int at, long value) {
    var failure = assertThrows(BloomException.class, () -> SampleFile.read(withRings(at, value)));
    assertEquals(ErrorCode.CORRUPT_IMPORT, failure.code());
    assertTrue(failure.getMessage().contains("the rings of segment 0"), failure.getMessage());
  }

  private static byte[] withRings(int at, long value) {
    var file = golden().write();
    var bytes = FileLayout.RINGS_HEAD_BYTES + FileLayout.ringsBytes(golden().header.parameters());
    var rings = file.length - FileLayout.DIGEST_BYTES - FileLayout.TAG_BYTES;
    rings -= FileLayout.SEGMENT_BYTES + bytes + 2 * FileLayout.CHECKSUM_BYTES;
    assertEquals(FileLayout.RINGS, ByteBuffer.wrap(file).getInt(rings));
    ByteBuffer.wrap(file).putLong(rings + at, value);
    var checksum = new CRC32C();
    checksum.update(file, rings, bytes);
    ByteBuffer.wrap(file).putInt(rings + bytes, (int) checksum.getValue());
    return file;
  }

  private static FileHeader header(FilterParameters parameters) {
    return new FileHeader(
        new FilterName("window"), parameters, 2, Instant.parse("2026-11-23T13:00:00.123Z"));
  }

  private static void assertBad(String json, int version) {
    var bytes = json.getBytes(StandardCharsets.US_ASCII);
    assertThrows(BadHeader.class, () -> HeaderJson.read(version, bytes, 0, bytes.length));
  }

  private static void assertRoundTrip(SampleFile file, String reported) {
    var bytes = file.write();
    assertEquals(3, bytes[11], reported);
    assertEquals(bytes.length, FilterFileWriter.length(file.header), reported);
    var read = SampleFile.read(bytes);
    assertEquals(file.header, read.header, reported);
    assertEquals(file.newest, read.newest, reported);
    for (var segment = 0; segment < file.rings.size(); segment++) {
      assertArrayEquals(file.rings.get(segment), read.rings.get(segment), reported);
    }
    assertEquals(file.insertions, read.insertions, reported);
    assertArrayEquals(bytes, read.write(), reported);
  }
}
