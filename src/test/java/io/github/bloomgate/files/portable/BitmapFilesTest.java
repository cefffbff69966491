package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.bloomgate.hash.LibraryVectors;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Large files of other libraries, read block by block. */
class BitmapFilesTest {

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
            BloomException.class, () -> description.read(in).read(new FilterFileSink() {}));
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

    var reader = FileDescription.of(FileFormat.REDISBLOOM).read(in);
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

  /** Zeros with a few set bits, in the module's bit order. */
  private static final class SparseBits extends InputStream {
    private final long[] positions;
    private final long bytes;
    private long at;
    private int index;

    private SparseBits(long[] positions, long bytes) {
      this.positions = positions;
      this.bytes = bytes;
    }

    @Override
    public int read() {
      var single = new byte[1];
      return read(single, 0, 1) == -1 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int start, int length) {
      var count = (int) Math.min(length, bytes - at);
      if (count == 0) {
        return -1;
      }
      Arrays.fill(buffer, start, start + count, (byte) 0);
      for (; index < positions.length && positions[index] / 8 < at + count; index++) {
        buffer[start + (int) (positions[index] / 8 - at)] |=
            (byte) (1 << (int) (positions[index] % 8));
      }
      at += count;
      return count;
    }
  }
}
