package io.github.bloomgate.files.portable;

import static io.github.bloomgate.support.Bytes.joined;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.bloomgate.model.error.BloomException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Truncated, altered or malicious files are refused and cost little memory. */
@Tag("slow")
class CorruptFileTest extends CorruptFiles {

  @Test
  void everyTruncation() {
    for (var boundary : sample.boundaries()) {
      for (var at = Math.max(0, boundary - 40); at < boundary + 40 && at < file.length; at++) {
        assertCorrupt(Arrays.copyOf(file, at), "cut off after " + at + " bytes");
      }
    }
    for (var i = 0; i < 500; i++) {
      var at = random.nextInt(file.length);
      assertCorrupt(Arrays.copyOf(file, at), "cut off after " + at + " bytes");
    }
  }

  @Test
  void everyBitOutsideOfTheBitmaps() {
    var boundaries = sample.boundaries();
    for (var bit = 0; bit < 8L * boundaries.get(1); bit++) {
      assertFlipIsNoticed(bit);
    }
    for (var record = 1; record < boundaries.size() - 1; record++) {
      var head = 8 * boundaries.get(record);
      for (var bit = head; bit < head + 8 * FileLayout.BLOCK_HEAD_BYTES; bit++) {
        assertFlipIsNoticed(bit);
      }
      var end = 8 * boundaries.get(record + 1);
      for (var bit = end - 8 * FileLayout.CHECKSUM_BYTES; bit < end; bit++) {
        assertFlipIsNoticed(bit);
      }
    }
    for (var bit = 8 * boundaries.get(boundaries.size() - 3); bit < 8 * file.length; bit++) {
      assertFlipIsNoticed(bit);
    }
  }

  @Test
  void bitsAnywhere() {
    for (var i = 0; i < 500; i++) {
      assertFlipIsNoticed(random.nextInt(8 * file.length));
    }
    for (var i = 0; i < 500; i++) {
      var bad = file.clone();
      for (var flips = random.nextInt(2, 20); flips > 0; flips--) {
        bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if (!Arrays.equals(bad, file)) {
        assertCorrupt(bad, "");
      }
    }
  }

  @Test
  void randomBytes() {
    for (var i = 0; i < 1000; i++) {
      var bad = new byte[random.nextInt(3000)];
      random.nextBytes(bad);
      assertCorrupt(bad, "");
      System.arraycopy(file, 0, bad, 0, Math.min(bad.length, random.nextInt(file.length)));
      assertCorrupt(bad, "");
    }
  }

  @Test
  void recordsInTheWrongOrderTwiceOrMissing() {
    var boundaries = sample.boundaries();
    for (var a = 1; a < boundaries.size() - 1; a++) {
      assertCorrupt(joined(part(0, a), part(a + 1, -1)), "");
      assertCorrupt(joined(part(0, a + 1), part(a, -1)), "");
      for (var b = a + 1; b < boundaries.size() - 1; b++) {
        var swapped =
            joined(part(0, a), part(b, b + 1), part(a + 1, b), part(a, a + 1), part(b + 1, -1));
        assertEquals(file.length, swapped.length);
        assertCorrupt(swapped, "");
      }
    }
  }

  @Test
  void aBlockOfAnotherFilterIsDetectedAtTheEnd() {
    var other = FileContent.random(random, sample.header(), 0.5);
    var at = sample.boundaries();
    var otherFile = other.write();
    // All records are consistent, but counts and digest do not match the file.
    var mixed = file.clone();
    System.arraycopy(otherFile, at.get(2), mixed, at.get(2), at.get(3) - at.get(2));
    assertCorrupt(mixed, "bits set, but has ");

    System.arraycopy(otherFile, at.get(1), mixed, at.get(1), at.get(6) - at.get(1));
    assertCorrupt(mixed, "digest");
  }

  @Test
  void bytesAfterTheEnd() {
    assertCorrupt(joined(file, new byte[1]), "bytes after the end");
    assertCorrupt(joined(file, file), "bytes after the end");
    assertCorrupt(joined(file, new byte[100_000]), "bytes after the end");
  }

  @Test
  void nothing() {
    assertCorrupt(new byte[0], "cut off after 0 bytes");
    assertCorrupt("Hello".getBytes(StandardCharsets.UTF_8), "cut off after 5 bytes");
    assertCorrupt("Hello, World".getBytes(StandardCharsets.UTF_8), "does not begin like");
  }

  @Test
  void impossibleCounts() {
    var at = sample.boundaries().get(5);
    assertCorrupt(withSegmentEnd(at, 8, 0), "bits set, but has ");
    assertCorrupt(withSegmentEnd(at, 8, -1), "bits set, but has ");
    assertCorrupt(withSegmentEnd(at, 16, -1), "impossible");
    assertCorrupt(withSegmentEnd(at, 16, Long.MAX_VALUE), "impossible");
    assertCorrupt(withSegmentEnd(at, 16, (1L << 50) + 1), "impossible");
    assertCorrupt(withSegmentEnd(at, 20, 2), "impossible");
    assertCorrupt(withSegmentEnd(at, 20, 0xffffffffL), "impossible");
  }

  /** Offset 8 has the latest time, 16 the newest ring, and 24 the start of a ring. */
  @ParameterizedTest
  @CsvSource({"8, -1", "8, 1125899906842625", "16, -1", "24, 9223372036854775807", "48, -1"})
  void impossibleRings(int at, long value) throws IOException {
    var window = FileContent.read(GoldenFile.WINDOW.bytes());
    var boundaries = window.boundaries();
    var rings = boundaries.get(boundaries.size() - 4);
    var bytes = FileLayout.RINGS_HEAD_BYTES + window.rings().get(0).length;
    assertCorrupt(withLong(window.write(), rings, at, value, bytes), "the rings of segment 0");
  }

  /** The largest possible filter, declared in 400 bytes, with more content than declared. */
  @Test
  void claimedSizesAreNotAllocated() throws IOException {
    var header = new ByteArrayOutputStream();
    new FilterFileWriter(header, FileContent.header(1L << 36, 64));
    var content = new byte[1 << 20];
    allocated(() -> assertCorrupt(header.toByteArray(), "cut off"));

    var bytes =
        allocated(
            () -> {
              assertCorrupt(header.toByteArray(), "cut off");
              assertCorrupt(joined(header.toByteArray(), content), "expected the");
              assertCorrupt(withInt(file, 12, Integer.MAX_VALUE), "header claims");
            });
    assertTrue(bytes < 6_000_000, "allocated " + bytes);
  }

  /** The reader holds one block, however long the file is. */
  @Test
  void memoryDoesNotGrowWithTheFile() throws IOException {
    var large = FileContent.random(random, FileContent.header(4L << 24, 3), 0.5).write();
    allocated(() -> readAll(new ByteArrayInputStream(file)));
    var bytes = allocated(() -> readAll(new ByteArrayInputStream(large)));
    assertTrue(large.length > 8_000_000);
    assertTrue(bytes < 1_000_000, "allocated " + bytes);
  }

  @Test
  void theSinkGetsNothingFromAWrongBlock() {
    var at = sample.boundaries();
    var bad = file.clone();
    bad[at.get(3) + 5000] ^= 1;
    var sink = new FileContent(sample.header());
    assertThrows(
        BloomException.class, () -> new FilterFileReader(new ByteArrayInputStream(bad)).read(sink));
    assertArrayEquals(
        Arrays.copyOf(sample.bitmaps().get(0), 2 * FileLayout.BLOCK_BYTES), sink.bitmaps().get(0));
  }

  private static void readAll(InputStream in) {
    try {
      new FilterFileReader(new SequenceInputStream(in, InputStream.nullInputStream()))
          .read(new FilterFileSink() {});
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static long allocated(Runnable task) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var before = threads.getCurrentThreadAllocatedBytes();
    task.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private void assertFlipIsNoticed(long bit) {
    var bad = file.clone();
    bad[(int) (bit >> 3)] ^= (byte) (1 << (bit & 7));
    assertCorrupt(bad, "");
  }

  /** The sample with another value at the end of its segment. */
  private byte[] withSegmentEnd(int record, int at, long value) {
    return withLong(file, record, at, value, FileLayout.SEGMENT_BYTES);
  }

  /** A file with another value in a record, and the right checksum. */
  private static byte[] withLong(byte[] file, int record, int at, long value, int recordBytes) {
    var changed = ByteBuffer.wrap(file.clone());
    changed.putLong(record + at, value);
    changed.putInt(record + recordBytes, checksum(changed.array(), record, recordBytes));
    return changed.array();
  }
}
