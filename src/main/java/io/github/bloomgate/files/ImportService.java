package io.github.bloomgate.files;

import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.files.portable.FilterFiles;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.model.lines.ScratchFile;
import io.github.bloomgate.rebuild.RebuildLoads;
import io.github.bloomgate.rebuild.ReplacementService;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/**
 * Loads portable files. A file is copied to the disk and verified to its end before anything is
 * made in Redis for it, so that one that is not whole changes nothing and costs no memory there,
 * whatever sizes it claims; then it goes live like a rebuild.
 */
@ApplicationScoped
public class ImportService {

  private final ReplacementService replacements;
  private final DescriptionService descriptions;
  private final RebuildLoads loads;

  public ImportService(
      ReplacementService replacements, DescriptionService descriptions, RebuildLoads loads) {
    this.replacements = replacements;
    this.descriptions = descriptions;
    this.loads = loads;
  }

  /**
   * Makes a filter of a file, or replaces one, its parameters included; its deadline stays. To be
   * run on a thread that may wait; holds no more than a few segments whatever the size of the file.
   *
   * @param file its format, and what it does not say itself
   * @param in the file; not closed
   * @param quota that of the key that asks
   * @return the filter, whose generation is the first if there was none
   * @throws BloomException CORRUPT_IMPORT if the file is not whole; LIMIT_EXCEEDED if the service
   *     takes no such filter or a quota allows no more; INVALID_REQUEST if the stream breaks, or
   *     the filter is an adopted one of another shape; REBUILD_IN_PROGRESS, STORE_FULL and what a
   *     rebuild fails with
   */
  public Description load(FilterName name, FileDescription file, InputStream in, Quota quota) {
    try (var copy = ScratchFile.open("bloomgate-import-")) {
      verify(file, in, copy);
      return load(name, file, copy.position(0), quota);
    } catch (IOException disk) {
      throw RequestErrors.internal(
          "An import could not be kept in the folder for temporary files", disk);
    }
  }

  private static void verify(FileDescription file, InputStream in, FileChannel copy)
      throws IOException {
    var out = new BufferedOutputStream(Channels.newOutputStream(copy));
    FilterFiles.read(file, new CopiedStream(in, out)).read(Verified.SINK);
    out.flush();
  }

  private Description load(FilterName name, FileDescription file, FileChannel copy, Quota quota)
      throws IOException {
    var reader = FilterFiles.read(file, new BufferedInputStream(Channels.newInputStream(copy)));
    replacements.createOrReplace(
        name, reader.plan(), next -> reader.read(into(next)), NewDeadline.KEEP, quota);
    return descriptions.describeChanged(name);
  }

  private FilterFileSink into(Filter next) {
    return next.isPlain() ? new FileLoad(next, loads) : new SegmentLoad(next, loads);
  }

  /** Keeps what is read; tells a stream that breaks from a disk that does. */
  private static final class CopiedStream extends InputStream {

    private final InputStream in;
    private final OutputStream copy;

    private CopiedStream(InputStream in, OutputStream copy) {
      this.in = in;
      this.copy = copy;
    }

    @Override
    public int read() throws IOException {
      var single = new byte[1];
      return read(single, 0, 1) == -1 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int start, int length) throws IOException {
      int count;
      try {
        count = in.read(buffer, start, length);
      } catch (IOException broken) {
        throw StreamErrors.broken(broken);
      }
      if (count > 0) {
        copy.write(buffer, start, count);
      }
      return count;
    }
  }

  /** Takes what is read only to be verified. */
  private enum Verified implements FilterFileSink {
    SINK;

    @Override
    public void block(int segment, long offset, byte[] buffer, int start, int length) {
      // The reader has checked it.
    }

    @Override
    public void endSegment(int segment, SegmentCounts counts, boolean snapshot) {
      // Likewise.
    }
  }
}
