package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.regex.Pattern;
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
  void whatIsWrittenIsRead(long n) {
    var seed = System.nanoTime();
    for (var slices : new int[] {2, 8, 64}) {
      for (var window :
          new Window[] {Window.ofSeconds(n, slices, false), Window.ofInsertions(n, slices, true)}) {
        var parameters = FilterParameters.windowed(HashSchemes.nativeScheme(), n, 0.01, window);
        var file = SampleFile.random(new Random(seed), header(parameters), 0.5);
        var stored = parameters.window().orElseThrow();
        for (var segment = 0; segment < parameters.shape().segments(); segment++) {
          var number = stored.isByTime() ? 1_000 + segment : stored.slices();
          file.newest.add(new Slice(number, segment, number));
        }
        assertRoundTrip(file, window + ", seed " + seed);
      }
    }
  }

  @Test
  void theGoldenFileIsWrittenAsItWas() throws IOException {
    if (Boolean.getBoolean("test.write-golden")) {
      Files.write(GOLDEN, golden().write());
    }
    assertArrayEquals(Files.readAllBytes(GOLDEN), golden().write());
    assertRoundTrip(SampleFile.read(Files.readAllBytes(GOLDEN)), "golden");
  }

  /** Element i was added i modulo 5 slices before the newest one. */
  static SampleFile golden() {
    return filled(FilterParameters.windowed(HashSchemes.nativeScheme(), 1_000, 0.001, DAY));
  }

  /** Likewise of several segments. */
  static SampleFile severalSegments() {
    return filled(
        FilterParameters.windowed(
            HashSchemes.nativeScheme(), 3_000_000, 0.01, Window.ofInsertions(3_000_000, 4, false)));
  }

  private static SampleFile filled(FilterParameters parameters) {
    var window = parameters.window().orElseThrow();
    var file = new SampleFile(header(parameters));
    for (var segment = 0; segment < parameters.shape().segments(); segment++) {
      var number = window.isByTime() ? 82_000L : window.slices();
      file.bitmaps.add(file.empty(segment));
      file.insertions.add(200L);
      file.snapshots.add(true);
      file.newest.add(new Slice(number, 40, number));
    }
    var ring = window.ring(parameters.shape());
    var positions = new long[ring.numHashFunctions()];
    for (var i = 0; i < 200; i++) {
      var element = ("element " + i).getBytes(StandardCharsets.UTF_8);
      var bitmap = file.bitmaps.get(parameters.hashScheme().locate(element, ring, positions));
      for (var position : positions) {
        var bit = i % window.rings() * ring.segmentBits() + position;
        bitmap[(int) (bit >> 3)] |= (byte) (0x80 >> (bit & 7));
      }
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
        "\"seconds\":86400|\"seconds\":86401",
        "\"seconds\":86400|\"seconds\":0",
        "\"seconds\":86400|\"insertions\":86400",
        "\"seconds\":86400|\"seconds\":86400,\"insertions\":1000",
        "\"sliceMillis\":21600000|\"sliceMillis\":21600001",
        "\"sliceMillis\":21600000|\"sliceInsertions\":21600000",
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

  /** No slice of a window begins at such a time, or takes so many. */
  @ParameterizedTest
  @CsvSource({"8, 1", "8, -21600000", "8, 9223372036854775807", "16, -1", "16, 1125899906842625"})
  void aSliceThatCannotBeIsRefused(int at, long value) {
    var file = golden().write();
    var slice = file.length - FileLayout.DIGEST_BYTES - FileLayout.TAG_BYTES;
    slice -= FileLayout.SEGMENT_BYTES + FileLayout.SLICE_BYTES + 2 * FileLayout.CHECKSUM_BYTES;
    assertEquals(FileLayout.SLICE, ByteBuffer.wrap(file).getInt(slice));
    ByteBuffer.wrap(file).putLong(slice + at, value);
    var checksum = new CRC32C();
    checksum.update(file, slice, FileLayout.SLICE_BYTES);
    ByteBuffer.wrap(file).putInt(slice + FileLayout.SLICE_BYTES, (int) checksum.getValue());
    var failure = assertThrows(BloomException.class, () -> SampleFile.read(file));
    assertEquals(ErrorCode.CORRUPT_IMPORT, failure.code());
    assertTrue(failure.getMessage().contains("newest slice"), failure.getMessage());
  }

  private static FileHeader header(FilterParameters parameters) {
    return new FileHeader(
        new FilterName("window"), parameters, 2, Instant.parse("2026-11-23T13:00:00.123Z"));
  }

  private static void assertBad(String json, int version) {
    var bytes = json.getBytes(StandardCharsets.US_ASCII);
    assertThrows(BadHeader.class, () -> HeaderJson.read(version, bytes, 0, bytes.length));
  }

  private static void assertRoundTrip(SampleFile file, String told) {
    var bytes = file.write();
    assertEquals(3, bytes[11], told);
    assertEquals(bytes.length, FilterFileWriter.length(file.header), told);
    var read = SampleFile.read(bytes);
    assertEquals(file.header, read.header, told);
    assertEquals(file.newest, read.newest, told);
    assertEquals(file.insertions, read.insertions, told);
    assertArrayEquals(bytes, read.write(), told);
  }
}
