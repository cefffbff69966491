package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.support.Seeded;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Written files are read back, and their format never changes. */
class FilterFileTest extends Seeded {

  @ParameterizedTest
  @EnumSource
  void aFrozenFileIsReadAndWrittenUnchanged(GoldenFile golden) throws IOException {
    var bytes = golden.bytes();
    var read = FileContent.read(bytes);
    assertEquals(golden.parameters(), read.header().parameters());
    for (var i = 0; i < golden.elements; i++) {
      assertTrue(read.mightContain(("element " + i).getBytes(StandardCharsets.UTF_8)));
    }
    assertRoundTrip(read);
    assertArrayEquals(bytes, read.write());
  }

  @Test
  void aWrittenFileIsReadBack() {
    for (var i = 0; i < 200; i++) {
      var bits = 1 + random.nextInt(1 << random.nextInt(1, 22));
      assertRoundTrip(FileContent.header(bits, random.nextInt(1, 65)), random.nextInt(3) / 2.0);
    }
  }

  @Test
  void severalSegments() {
    assertRoundTrip(FileContent.header((1L << 24) + 64, 5), 0.5);
    assertRoundTrip(FileContent.header(3L << 24, 64), 1);
    assertRoundTrip(FileContent.header((1L << 24) + 64, 1), 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 65_528, 65_536, 65_544, 131_072})
  void aSegmentOfWholeBlocks(int bytes) {
    assertRoundTrip(FileContent.header(8L * bytes, 3), 0.5);
  }

  /** Ten layers of one segment, or two layers, with three segments in the second. */
  @ParameterizedTest
  @CsvSource({"10, 1, 1", "10, 1, 2", "10, 1, 32", "1000000, 4, 2"})
  void layers(long n, int factor, int layers) {
    var growth = new Growth(factor, Growth.MAX_SIZE_BYTES);
    var parameters = growth.parameters(HashSchemes.nativeScheme(), n, 0.01);
    var most = IntStream.range(0, layers).mapToLong(i -> n * (long) Math.pow(factor, i)).sum();
    var plan = growth.planFor(parameters, most);
    assertRoundTrip(FileContent.header(plan), 0.5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 5_000, 3_000_000})
  void windows(long n) {
    for (var slices : new int[] {2, 8, 64}) {
      for (var window :
          List.of(Window.ofSeconds(n, slices, false), Window.ofInsertions(n, slices, true))) {
        var parameters = window.parameters(HashSchemes.nativeScheme(), n, 0.01);
        assertRoundTrip(FileContent.header(FilterPlan.of(parameters)), 0.5);
      }
    }
  }

  @Test
  void everyFieldOfTheHeaderIsKept() {
    for (var whenFull : List.of(WhenFull.ACCEPT, WhenFull.REJECT)) {
      var parameters = new Plain(whenFull).parameters(HashSchemes.nativeScheme(), 12_345, 1e-7);
      for (var moment : List.of(Optional.of(Instant.EPOCH), Optional.<Instant>empty())) {
        assertRoundTrip(
            new FileHeader(
                new FilterName("a:b@c.d~e-f_g"), FilterPlan.of(parameters), Long.MAX_VALUE, moment),
            0.5);
      }
    }
  }

  @Test
  void everySchemeAndCodecIsKept() {
    var keyed = HashSchemes.keyed(new KeyOrigin("0b".repeat(8), "0a".repeat(16)), Optional.empty());
    for (var id : HashSchemes.ids()) {
      var codecs = HashSchemes.elementCodecs(id);
      for (var codec : codecs.isEmpty() ? List.of("") : codecs) {
        var named = Optional.of(codec).filter(name -> !name.isEmpty());
        var scheme = HashSchemes.named(id, named).orElseThrow();
        var parameters =
            FilterParameters.forShape(
                scheme.isKeyed() ? keyed : scheme, 1 << 12, 14, WhenFull.ACCEPT);
        var header = FileContent.header(FilterPlan.of(parameters));
        assertRoundTrip(header, 0.5);
        var json = new String(header.json(), StandardCharsets.US_ASCII);
        assertEquals(scheme.isKeyed(), json.contains("\"salt\":\"" + "0a".repeat(16) + "\""));
        assertEquals(named.isPresent(), json.contains("\"elementCodec\":\"" + codec + "\""));
      }
    }
  }

  @Test
  void theLargestFiltersHaveReadableHeaders() throws IOException {
    for (var bits : List.of(FilterParameters.MAX_BIT_SIZE, 1L)) {
      for (var k : List.of(1, 64)) {
        var header = FileContent.header(bits, k);
        var out = new ByteArrayOutputStream();
        new FilterFileWriter(out, header);
        var reader = new FilterFileReader(new ByteArrayInputStream(out.toByteArray()));
        assertEquals(header, reader.header());
      }
    }
  }

  @Test
  void blocksMayArriveInSmallPieces() throws IOException {
    var content = FileContent.ofFourBlocks(random);
    var dripping =
        new FilterInputStream(new ByteArrayInputStream(content.write())) {
          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(700)));
          }
        };
    assertSame(content, FileContent.read(dripping));
    assertEquals(0, dripping.available());
  }

  @Test
  void aFailureOfTheStreamIsPassedOn() {
    var failing =
        new FilterInputStream(new ByteArrayInputStream(FileContent.ofFourBlocks(random).write())) {
          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            if (in.available() < 100_000) {
              throw new IOException("broken");
            }
            return super.read(buffer, offset, Math.min(length, 1000));
          }
        };
    var failure = assertThrows(UncheckedIOException.class, () -> FileContent.read(failing));
    assertEquals("broken", failure.getCause().getMessage());
  }

  private void assertRoundTrip(FileHeader header, double fill) {
    assertRoundTrip(FileContent.random(random, header, fill));
  }

  private void assertRoundTrip(FileContent content) {
    var bytes = content.write();
    assertEquals(bytes.length, content.boundaries().get(content.boundaries().size() - 1), seed());
    var read = FileContent.read(bytes);
    assertSame(content, read);
    assertArrayEquals(bytes, read.write(), seed());
  }

  private void assertSame(FileContent expected, FileContent read) {
    assertEquals(expected.header(), read.header(), seed());
    assertEquals(expected.insertions(), read.insertions(), seed());
    assertEquals(expected.newest(), read.newest(), seed());
    assertArrayEquals(expected.rings().toArray(), read.rings().toArray(), seed());
    assertArrayEquals(expected.bitmaps().toArray(), read.bitmaps().toArray(), seed());
  }

  private String seed() {
    return "seed " + seed;
  }
}
