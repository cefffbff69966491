package io.github.bloomgate.fuzz;

import com.sun.management.ThreadMXBean;
import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.files.portable.FilterFiles;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
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
    if (content.read != null && content.read.bytes() <= MOST_WRITTEN) {
      assertSurvivesExports(description, content.read, file);
    }
  }

  private static long mostBytes(byte[] file) {
    return MOST_BYTES + 64L * file.length;
  }

  /** The outcome of reading a file, and its allocation. */
  private static final class Attempt {
    /** Null if the file was refused. */
    private Content read;

    private final long allocated;

    private Attempt(FileDescription description, byte[] file) throws IOException {
      var before = THREADS.getCurrentThreadAllocatedBytes();
      try {
        read = ImportTarget.read(description, file);
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

  private static Content read(FileDescription description, byte[] file) throws IOException {
    var reader = FilterFiles.read(description, new ByteArrayInputStream(file));
    var content = new Content(reader.plan());
    reader.read(content);
    content.assertWhole();
    return content;
  }

  private static void assertSurvivesExports(
      FileDescription description, Content content, byte[] file) throws IOException {
    for (var format : FileFormat.of(content.plan.parameters())) {
      var written = content.write(format);
      if (format == description.format() && isOneToOne(format) && !Arrays.equals(file, written)) {
        throw new AssertionError("another file of the format " + format);
      }
      var reported =
          format == FileFormat.REDIS_BITMAP
              ? FileDescription.ofBitmap(content.plan.parameters())
              : FileDescription.of(format);
      content.assertSameBits(read(reported, written));
    }
  }

  /**
   * Whether a filter always has the same file. In other formats, the file contains a timestamp, or
   * may end early.
   */
  private static boolean isOneToOne(FileFormat format) {
    return format == FileFormat.GUAVA || format == FileFormat.BITS_AND_BLOOMS;
  }

  /** The filter of a file, allocated while it is read. */
  private static final class Content implements FilterFileSink {
    private static final Instant MOMENT = Instant.parse("2026-11-21T14:00:00.123Z");

    private final FilterPlan plan;
    private final List<ByteArrayOutputStream> segments = new ArrayList<>();
    private final List<Long> insertions = new ArrayList<>();
    private final List<Long> newest = new ArrayList<>();
    private final List<byte[]> rings = new ArrayList<>();

    private Content(FilterPlan plan) {
      this.plan = plan;
    }

    private long bytes() {
      return plan.layers().stream().mapToLong(layer -> layer.shape().sizeBytes()).sum();
    }

    @Override
    public void block(int segment, long offset, byte[] buffer, int start, int length) {
      if (segment == segments.size()) {
        segments.add(new ByteArrayOutputStream());
      }
      var bitmap = segments.get(segment);
      if (offset != bitmap.size() || length < 1) {
        throw new AssertionError("a block at %d behind %d".formatted(offset, bitmap.size()));
      }
      bitmap.write(buffer, start, length);
    }

    @Override
    public void rings(int segment, long newestElement, byte[] some) {
      if (segment != newest.size()) {
        throw new AssertionError("the rings of segment " + segment);
      }
      newest.add(newestElement);
      rings.add(some);
    }

    @Override
    public void endSegment(int segment, long counted) {
      if (segment != insertions.size()) {
        throw new AssertionError("the end of segment " + segment);
      }
      insertions.add(counted);
    }

    private void assertWhole() {
      if (insertions.size() != plan.segments()) {
        throw new AssertionError(insertions.size() + " segments");
      }
    }

    private List<FilterShape> shapes() {
      return plan.layers().stream().map(Layer::shape).toList();
    }

    private String scheme() {
      return plan.parameters().hashScheme().id();
    }

    private byte[] bitmap(int segment) {
      var read = segment < segments.size() ? segments.get(segment).toByteArray() : new byte[0];
      return Arrays.copyOf(read, (int) plan.layerOf(segment).shape().segmentBytes());
    }

    private byte[] write(FileFormat format) throws IOException {
      var out = new ByteArrayOutputStream();
      var header = new FileHeader(new FilterName("again"), plan, 1, MOMENT);
      var writer = FilterFiles.write(format, header, out);
      for (var i = 0; i < insertions.size(); i++) {
        writer.write(bitmap(i));
        if (!newest.isEmpty()) {
          writer.rings(newest.get(i), rings.get(i));
        }
        writer.endSegment(insertions.get(i), true);
      }
      writer.end();
      if (out.size() != FilterFiles.length(format, header)) {
        throw new AssertionError(out.size() + " bytes, not as many as reported");
      }
      return out.toByteArray();
    }

    private void assertSameBits(Content again) {
      if (!again.shapes().equals(shapes()) || !again.scheme().equals(scheme())) {
        throw new AssertionError(again.plan + " and not " + plan);
      }
      for (var i = 0; i < insertions.size(); i++) {
        if (!Arrays.equals(bitmap(i), again.bitmap(i))) {
          throw new AssertionError("other bits in segment " + i);
        }
      }
      if (!again.newest.equals(newest)) {
        throw new AssertionError(again.newest + " and not " + newest);
      }
    }
  }
}
