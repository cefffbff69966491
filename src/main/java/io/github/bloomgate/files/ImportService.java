package io.github.bloomgate.files;

import io.github.bloomgate.config.ScratchFile;
import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.lines.ContentMismatchException;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.rebuild.ContentLoads;
import io.github.bloomgate.rebuild.ContentTransfer;
import io.github.bloomgate.rebuild.ContentTransfers;
import io.github.bloomgate.rebuild.Rebuild;
import io.github.bloomgate.rebuild.Rebuilds;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.StoredContent.Raw;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.time.Duration;

/**
 * Loads portable files. A file is copied to disk and verified completely before anything is created
 * in Redis, so that a damaged one changes nothing and uses no memory there, whatever sizes it
 * claims. Then it goes live like a rebuild.
 */
@ApplicationScoped
public class ImportService {

  /**
   * How long the rebuild survives a dead instance. Longer than a silent connection is kept, which
   * is a minute; each segment renews it.
   */
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);

  private final Rebuilds rebuilds;
  private final DescriptionService descriptions;
  private final ContentLoads loads;
  private final ContentTransfers transfers;

  public ImportService(
      Rebuilds rebuilds,
      DescriptionService descriptions,
      ContentLoads loads,
      ContentTransfers transfers) {
    this.rebuilds = rebuilds;
    this.descriptions = descriptions;
    this.loads = loads;
    this.transfers = transfers;
  }

  /**
   * Creates a filter from a file, or replaces content and parameters of an existing one but keeps
   * its expiry. Blocks. Holds only a few segments at any file size.
   *
   * @param file its format, and the parameters that the format does not contain
   * @param in the file; not closed
   * @param quota of the caller's key
   * @return the filter, in its first generation if it is new
   * @throws BloomException CORRUPT_IMPORT if the file is damaged; LIMIT_EXCEEDED if the filter
   *     exceeds a limit or a quota; INVALID_REQUEST if the stream breaks, or the filter is an
   *     adopted one of another shape; TEMP_FOLDER_UNUSABLE; REBUILD_IN_PROGRESS, STORE_FULL and
   *     other failures of a rebuild
   */
  public Description load(FilterName name, FileDescription file, InputStream in, Quota quota) {
    try (var copy = ScratchFile.open("bloomgate-import-")) {
      verify(file, in, copy);
      return load(name, file, copy.position(0), quota);
    } catch (IOException disk) {
      throw StreamErrors.tempFolderUnusable(ScratchFile.folder(), disk);
    }
  }

  private static void verify(FileDescription file, InputStream in, FileChannel copy)
      throws IOException {
    var out = new BufferedOutputStream(Channels.newOutputStream(copy));
    file.read(new CopiedStream(in, out)).read(new FilterFileSink() {});
    out.flush();
  }

  private Description load(FilterName name, FileDescription file, FileChannel copy, Quota quota)
      throws IOException {
    var reader = file.read(new BufferedInputStream(Channels.newInputStream(copy)));
    var total = reader.plan().sizeBytes();
    try (var rebuild = rebuilds.openOrNew(name, reader.plan(), IDLE_TIMEOUT, quota);
        var transfer = transfers.begin(ContentTransfer.Kind.IMPORT, name, total)) {
      reader.read(
          rebuild.next().storedContent() instanceof Raw
              ? new RawLoad(loads, rebuild, transfer)
              : new SegmentAssembly(
                  reader.plan(),
                  rebuild.openedAt(),
                  (content, segment) -> join(rebuild, segment, content, transfer)));
      return descriptions.describeChanged(rebuild.commit(0, NewExpiry.KEEP));
    }
  }

  private void join(Rebuild rebuild, int segment, SegmentCopy content, ContentTransfer transfer) {
    try (content) {
      loads.join(rebuild, segment, content);
      rebuild.count(content.content().insertions());
    }
    transfer.wrote(rebuild.next().layer(segment).format().bitmapBytes());
  }

  /** Copies the input to disk, and distinguishes failures of the stream and of the disk. */
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
      } catch (ContentMismatchException other) {
        throw StreamErrors.mismatch(other.getMessage(), other.remedy());
      } catch (IOException broken) {
        throw StreamErrors.broken(broken);
      }
      if (count > 0) {
        copy.write(buffer, start, count);
      }
      return count;
    }
  }
}
