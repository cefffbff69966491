package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Written files are read back, and the bytes of version 1 never change. */
class FilterFileTest {

  /** Made by {@link #golden} and frozen: its bytes are the promise. */
  private static final Path GOLDEN = Path.of("src/test/resources/portable/golden.bloom");

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void aWrittenFileIsReadBack() {
    for (var i = 0; i < 200; i++) {
      var bits = 1 + random.nextInt(1 << random.nextInt(1, 22));
      var header = SampleFile.header(bits, random.nextInt(1, 65));
      assertRoundTrip(SampleFile.random(random, header, random.nextInt(3) / 2.0));
    }
  }

  @Test
  void severalSegments() {
    assertRoundTrip(SampleFile.ofTwoSegments(random));
    assertRoundTrip(SampleFile.random(random, SampleFile.header(3L << 24, 64), 1));
    assertRoundTrip(SampleFile.random(random, SampleFile.header((1L << 24) + 64, 1), 0));
  }

  @Test
  void aSegmentOfWholeBlocks() {
    for (var bytes : List.of(8, 65_528, 65_536, 65_544, 131_072)) {
      assertRoundTrip(SampleFile.random(random, SampleFile.header(8L * bytes, 3), 0.5));
    }
  }

  @Test
  void everyFieldOfTheHeaderIsKept() {
    for (var whenFull : List.of(WhenFull.ACCEPT, WhenFull.REJECT)) {
      var parameters =
          FilterParameters.forElements(HashSchemes.nativeScheme(), 12_345, 1e-7, whenFull);
      var header =
          new FileHeader(
              new FilterName("a:b@c.d~e-f_g"), parameters, Long.MAX_VALUE, Instant.EPOCH);
      assertRoundTrip(SampleFile.random(random, header, 0.5));
    }
  }

  private static final HashScheme KEYED =
      HashSchemes.keyed(new KeyOrigin("0b".repeat(8), "0a".repeat(16)), Optional.empty());

  @Test
  void everySchemeAndCodecIsKept() {
    for (var id : HashSchemes.ids()) {
      var codecs = HashSchemes.elementCodecs(id);
      for (var codec : codecs.isEmpty() ? List.of("") : codecs) {
        var named = Optional.of(codec).filter(name -> !name.isEmpty());
        var scheme = HashSchemes.named(id, named).orElseThrow();
        var parameters =
            FilterParameters.forShape(
                scheme.isKeyed() ? KEYED : scheme, 1 << 12, 14, WhenFull.ACCEPT);
        var header = new FileHeader(new FilterName("sample"), parameters, 1, Instant.EPOCH);
        assertRoundTrip(SampleFile.random(random, header, 0.5));
        var json = new String(HeaderJson.write(header), StandardCharsets.US_ASCII);
        assertEquals(scheme.isKeyed(), json.contains("\"hashSalt\":\"" + "0a".repeat(16) + "\""));
        assertEquals(named.isPresent(), json.contains("\"elementCodec\":\"" + codec + "\""));
      }
    }
  }

  @Test
  void theLargestFiltersHaveReadableHeaders() throws IOException {
    for (var bits : List.of(FilterParameters.MAX_BIT_SIZE, 1L)) {
      for (var k : List.of(1, 64)) {
        var header = SampleFile.header(bits, k);
        var out = new ByteArrayOutputStream();
        new FilterFileWriter(out, header);
        var reader = new FilterFileReader(new ByteArrayInputStream(out.toByteArray()));
        assertEquals(header, reader.header());
      }
    }
  }

  @Test
  void blocksMayArriveInSmallPieces() throws IOException {
    var file = SampleFile.ofFourBlocks(random);
    var bytes = file.write();
    var dripping =
        new FilterInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(700)));
          }
        };
    new FilterFileReader(dripping).read(new NoSink());
    assertEquals(0, dripping.available());
  }

  @Test
  void aFailureOfTheStreamIsPassedOn() {
    var bytes = SampleFile.ofFourBlocks(random).write();
    var failing =
        new FilterInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            if (in.available() < 100_000) {
              throw new IOException("broken");
            }
            return super.read(buffer, offset, Math.min(length, 1000));
          }
        };
    var failure =
        assertThrows(
            IOException.class, () -> new FilterFileReader(failing).read(new NoSink()), seed());
    assertEquals("broken", failure.getMessage());
  }

  @Test
  void theWriterRefusesInvalidContent() throws IOException {
    var header = SampleFile.header(8 * 200_000, 7);
    var file = new FilterFileWriter(new ByteArrayOutputStream(), header);
    assertThrows(IllegalArgumentException.class, () -> file.write(new byte[65_535]));
    assertThrows(IllegalArgumentException.class, () -> file.write(new byte[200_001]));
    file.write(new byte[131_072]);
    assertThrows(IllegalStateException.class, () -> file.endSegment(0, true));
    assertThrows(IllegalStateException.class, file::end);
    file.write(new byte[200_000 - 131_072]);
    assertThrows(IllegalStateException.class, file::end);
  }

  @Test
  void theBytesOfVersion1AreFrozen() throws IOException {
    assertArrayEquals(Files.readAllBytes(GOLDEN), golden().write());
  }

  @Test
  void theGoldenFileIsRead() throws IOException {
    var read = SampleFile.read(Files.readAllBytes(GOLDEN));
    var expected = golden();
    assertEquals(expected.header, read.header);
    assertArrayEquals(expected.bitmaps.get(0), read.bitmaps.get(0));
    assertEquals(expected.insertions, read.insertions);
  }

  /** A filter of a thousand elements, {@code element 0} and so on, in two blocks. */
  private static SampleFile golden() {
    var shape = HashSchemes.nativeScheme().shapeFor(60_000, 0.001);
    var parameters =
        new FilterParameters(HashSchemes.nativeScheme(), 60_000, 0.001, shape, WhenFull.REJECT);
    var file =
        new SampleFile(
            new FileHeader(
                new FilterName("golden"),
                parameters,
                2,
                Instant.parse("2026-11-21T12:34:56.789Z")));
    var bitmap = new byte[(int) shape.segmentBytes()];
    var positions = new long[shape.numHashFunctions()];
    for (var i = 0; i < 1000; i++) {
      var element = ("element " + i).getBytes(StandardCharsets.UTF_8);
      parameters.hashScheme().locate(element, shape, positions);
      for (var bit : positions) {
        bitmap[(int) (bit >> 3)] |= (byte) (0x80 >> (bit & 7));
      }
    }
    file.bitmaps.add(bitmap);
    file.insertions.add(1000L);
    file.snapshots.add(true);
    return file;
  }

  private void assertRoundTrip(SampleFile file) {
    var bytes = file.write();
    assertEquals(bytes.length, FilterFileWriter.length(file.header), seed());
    assertEquals(bytes.length, file.boundaries().get(file.boundaries().size() - 1), seed());
    var read = SampleFile.read(bytes);
    assertEquals(file.header, read.header, seed());
    assertEquals(file.insertions, read.insertions, seed());
    assertEquals(file.snapshots, read.snapshots, seed());
    assertEquals(file.bitmaps.size(), read.bitmaps.size(), seed());
    for (var segment = 0; segment < file.bitmaps.size(); segment++) {
      var same = Arrays.equals(file.bitmaps.get(segment), read.bitmaps.get(segment));
      assertEquals(true, same, "segment " + segment + ", " + seed());
    }
    assertArrayEquals(bytes, read.write(), seed());
  }

  private String seed() {
    return "seed " + seed;
  }
}
