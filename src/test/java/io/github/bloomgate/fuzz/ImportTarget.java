package io.github.bloomgate.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.github.bloomgate.files.portable.FileContent;
import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/**
 * Reads bytes as a filter's file. Either they are refused, or the content can be written and read
 * again. Memory is limited to a few blocks and the file.
 *
 * <p>The first byte selects the format, the rest is the file.
 */
public final class ImportTarget {

  /** The allocation of all readers, plus a multiple of the file's length. */
  private static final long MOST_BYTES = 8 << 20;

  /** Larger bitmaps than this are not written again. */
  private static final long MOST_WRITTEN = 1 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final List<FilterParameters> BITMAPS =
      List.of(
          bitmap("bits-and-blooms", 1),
          bitmap("bits-and-blooms", 777),
          bitmap("redisson", 1 << 20));

  private ImportTarget() {}

  private static FilterParameters bitmap(String scheme, long bits) {
    return FilterParameters.forShape(
        HashSchemes.named(scheme).orElseThrow(), bits, 3, WhenFull.ACCEPT);
  }

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    var file = Arrays.copyOfRange(input, 1, input.length);
    var description = description(input[0] & 0xff);
    var content = new Attempt(description, file);
    // The first attempt also loads classes.
    if (content.allocated > mostBytes(file)
        && new Attempt(description, file).allocated > mostBytes(file)) {
      throw new AssertionError(content.allocated + " bytes of memory for a file of " + file.length);
    }
    if (content.read != null && bytes(content.read) <= MOST_WRITTEN) {
      assertSurvivesExports(description, content.read, file);
    }
  }

  private static long mostBytes(byte[] file) {
    return MOST_BYTES + 64L * file.length;
  }

  /** The outcome of reading a file, and its allocation. */
  private static final class Attempt {
    /** Null if the file was refused. */
    private FileContent read;

    private final long allocated;

    private Attempt(FileDescription description, byte[] file) throws IOException {
      var before = THREADS.getCurrentThreadAllocatedBytes();
      try {
        read = FileContent.read(description, file);
      } catch (BloomException refused) {
        if (refused.code() != ErrorCode.CORRUPT_IMPORT
            && refused.code() != ErrorCode.LIMIT_EXCEEDED) {
          throw new AssertionError("refused with " + refused.code(), refused);
        }
      }
      allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    }
  }

  /** Derives the format and the parameters from a byte. */
  private static FileDescription description(int choice) {
    var rest = choice / 5;
    return switch (choice % 5) {
      case 0 -> FileDescription.of(FileFormat.BLOOMGATE);
      case 1 -> ofLibrary(FileFormat.GUAVA, rest);
      case 2 -> ofLibrary(FileFormat.BITS_AND_BLOOMS, rest);
      case 3 -> FileDescription.ofBitmap(BITMAPS.get(rest % BITMAPS.size()));
      default -> FileDescription.of(FileFormat.REDISBLOOM);
    };
  }

  private static FileDescription ofLibrary(FileFormat format, int rest) {
    return rest % 2 == 0 ? FileDescription.of(format) : FileDescription.of(format, 1000, 0.01);
  }

  private static int bytes(FileContent content) {
    return content.bitmaps().stream().mapToInt(bitmap -> bitmap.length).sum();
  }

  private static void assertSurvivesExports(
      FileDescription description, FileContent content, byte[] file) throws IOException {
    var parameters = content.header().parameters();
    for (var format : FileFormat.of(parameters)) {
      var written = content.write(format);
      if (format == description.format() && isOneToOne(format)) {
        assertArrayEquals(file, written);
      }
      var reported =
          format == FileFormat.REDIS_BITMAP
              ? FileDescription.ofBitmap(parameters)
              : FileDescription.of(format);
      assertSameBits(content, FileContent.read(reported, written));
    }
  }

  private static void assertSameBits(FileContent content, FileContent again) {
    assertEquals(shapes(content), shapes(again));
    assertEquals(scheme(content), scheme(again));
    assertArrayEquals(content.bitmaps().toArray(), again.bitmaps().toArray());
    assertEquals(content.newest(), again.newest());
  }

  private static List<FilterShape> shapes(FileContent content) {
    return content.header().plan().layers().stream().map(Layer::shape).toList();
  }

  private static String scheme(FileContent content) {
    return content.header().parameters().hashScheme().id();
  }

  /**
   * Whether a filter always has the same file. In other formats, the file contains a timestamp, or
   * may end early.
   */
  private static boolean isOneToOne(FileFormat format) {
    return format == FileFormat.GUAVA || format == FileFormat.BITS_AND_BLOOMS;
  }
}
