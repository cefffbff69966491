package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams of other libraries' file formats: written files are read back block by block. */
class BitmapFilesTest {

  private static final String FORMATS =
      """
      guava, guava-mitz-32
      guava, guava-mitz-64
      bits-and-blooms, bits-and-blooms
      redis-bitmap, redisson
      redis-bitmap, bloomgate-1
      """;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @CsvSource(textBlock = FORMATS)
  void aWrittenFileIsReadBack(String formatId, String scheme) throws IOException {
    var format = FileFormat.named(formatId).orElseThrow();
    for (var i = 0; i < 60; i++) {
      var bits = i < 20 ? 1 + i * 13 : 1 + random.nextInt(1 << random.nextInt(1, 22));
      var header = header(scheme, i == 0 ? 8 * FileLayout.BLOCK_BYTES : bits);
      var bitmap = randomBitmap(header.parameters());
      var out = new ByteArrayOutputStream();
      write(FilterFiles.write(format, header, out), bitmap);
      assertEquals(FilterFiles.length(format, header), out.size(), seed());

      var reader = FilterFiles.read(description(format, header), dripping(out.toByteArray()));
      var read = new FileContent(FileContent.header(reader.plan()));
      reader.read(read);
      assertArrayEquals(bitmap, read.bitmaps().get(0), seed());
      assertEquals(header.parameters().shape(), reader.plan().parameters().shape());
      assertEquals(header.parameters().hashScheme(), reader.plan().parameters().hashScheme());
      var bitsSet = BitSet.valueOf(bitmap).cardinality();
      var insertions = read.insertions().get(0);
      assertTrue(insertions <= bitsSet);
      assertEquals(bitsSet == 0, insertions == 0);
    }
  }

  @Test
  void aFailureOfTheStreamIsPassedOn() {
    var header = ByteBuffer.allocate(6).put((byte) 1).put((byte) 5).putInt(100_000).array();
    var failing =
        new FilterInputStream(InputStream.nullInputStream()) {
          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            throw new IOException("broken");
          }
        };
    var in = new SequenceInputStream(new ByteArrayInputStream(header), failing);
    var failure =
        assertThrows(
            IOException.class,
            () ->
                FilterFiles.read(FileDescription.of(FileFormat.GUAVA), in)
                    .read(new FilterFileSink() {}));
    assertEquals("broken", failure.getMessage());
  }

  /** The largest possible filters, declared in a few bytes. */
  @Test
  void claimedSizesAreNotAllocated() {
    var guava = ByteBuffer.allocate(6).put((byte) 1).put((byte) 5).putInt(1 << 26).array();
    assertCheapAndCorrupt(FileDescription.of(FileFormat.GUAVA), guava);
    var go = ByteBuffer.allocate(24).putLong(1L << 32).putLong(5).putLong(1L << 32).array();
    assertCheapAndCorrupt(FileDescription.of(FileFormat.BITS_AND_BLOOMS), go);
  }

  private static void assertCheapAndCorrupt(FileDescription description, byte[] header) {
    var content = new byte[1 << 20];
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var in =
        new SequenceInputStream(
            new ByteArrayInputStream(header), new ByteArrayInputStream(content));
    var before = threads.getCurrentThreadAllocatedBytes();
    var refused =
        assertThrows(
            BloomException.class,
            () -> FilterFiles.read(description, in).read(new FilterFileSink() {}));
    var allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertEquals(ErrorCode.CORRUPT_IMPORT, refused.code());
    assertTrue(allocated < 1 << 20, allocated + " bytes");
  }

  /** A dump of 443 MB from the module, described by its set bits, is read bit for bit. */
  @Tag("long")
  @Test
  void aHugeDumpOfRedisBloom() throws Exception {
    var golden = LibraryVectors.of("redisbloom").filter("huge");
    var setBits = golden.get("setBits");
    var positions = new long[setBits.size()];
    Arrays.setAll(positions, i -> setBits.get(i).asLong());
    var ofModule = MessageDigest.getInstance("SHA-256");
    var bits = new SparseBits(positions, golden.get("paddedLength").asLong());
    var in =
        new SequenceInputStream(
            new ByteArrayInputStream(HexFormat.of().parseHex(golden.get("headerHex").asText())),
            new DigestInputStream(bits, ofModule));

    var reader = FilterFiles.read(FileDescription.of(FileFormat.REDISBLOOM), in);
    var redis = MessageDigest.getInstance("SHA-256");
    var insertions = new ArrayList<Long>();
    reader.read(
        new FilterFileSink() {
          @Override
          public void block(int segment, long offset, byte[] buffer, int start, int length) {
            redis.update(buffer, start, length);
          }

          @Override
          public void endSegment(int segment, long counted) {
            insertions.add(counted);
          }
        });

    assertEquals(golden.get("nativeSha256").asText(), HexFormat.of().formatHex(ofModule.digest()));
    assertEquals(golden.get("paddedSha256").asText(), HexFormat.of().formatHex(redis.digest()));
    assertEquals(List.of(40L), insertions);
    assertEquals(golden.get("m").asLong(), reader.plan().parameters().shape().bitSize());
  }

  private static FileHeader header(String scheme, long bits) {
    return FileContent.header(
        FilterPlan.of(
            FilterParameters.forShape(
                HashSchemes.named(scheme).orElseThrow(), bits, 5, WhenFull.ACCEPT)));
  }

  private static FileDescription description(FileFormat format, FileHeader header) {
    return format == FileFormat.REDIS_BITMAP
        ? FileDescription.ofBitmap(header.parameters())
        : FileDescription.of(format);
  }

  private byte[] randomBitmap(FilterParameters parameters) {
    var bitmap = new byte[(int) parameters.shape().segmentBytes()];
    if (random.nextInt(5) > 0) {
      random.nextBytes(bitmap);
    }
    var padding = (int) (bitmap.length * 8L - parameters.shape().bitSize());
    bitmap[bitmap.length - 1] &= (byte) (0xff << padding);
    return bitmap;
  }

  private static void write(FilterWriter file, byte[] bitmap) throws IOException {
    var step = FileLayout.BLOCK_BYTES * 2;
    for (var at = 0; at < bitmap.length; at += step) {
      file.write(Arrays.copyOfRange(bitmap, at, Math.min(bitmap.length, at + step)));
    }
    assertEquals(BitSet.valueOf(bitmap).cardinality(), file.bitsSet());
    file.endSegment(3, true);
    file.end();
  }

  private InputStream dripping(byte[] bytes) {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(7000)));
      }
    };
  }

  private String seed() {
    return "seed " + seed;
  }
}
