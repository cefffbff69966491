package io.github.bloomgate.files;

import static io.github.bloomgate.threads.Await.await;
import static java.util.stream.Collectors.joining;

import io.github.bloomgate.elements.ContentCopies;
import io.github.bloomgate.elements.SegmentReads;
import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.files.portable.FilterFiles;
import io.github.bloomgate.files.portable.FilterWriter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.SegmentBytes;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;

/**
 * Writes filters as portable files. An element whose add was acknowledged before an export began is
 * in its file; the bits of a segment are those of one moment, or the file says that they are not.
 *
 * <p>One read of the store is held in memory at a time, at most 2 MiB, and the next is asked for
 * when the stream has taken it.
 */
@ApplicationScoped
public class ExportService {

  private final LiveFilters live;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final ContentCopies contents;
  private final Clock clock;
  private final int bytesPerRead;

  @Inject
  public ExportService(
      LiveFilters live,
      FilterStore filters,
      SegmentStore segments,
      ContentCopies contents,
      Clock clock) {
    this(live, filters, segments, contents, clock, SegmentStore.MAX_READ_BYTES);
  }

  /** Reads bits in pieces of a whole number of blocks. */
  public ExportService(
      LiveFilters live,
      FilterStore filters,
      SegmentStore segments,
      ContentCopies contents,
      Clock clock,
      int bytesPerRead) {
    this.live = live;
    this.filters = filters;
    this.segments = segments;
    this.contents = contents;
    this.clock = clock;
    this.bytesPerRead = bytesPerRead;
  }

  /**
   * Begins an export.
   *
   * @param format of the file
   * @param asPlain whether a filter that counts is written as one that does not
   * @return the export, its first bytes read, so that an ordinary failure shows before anything is
   *     written: FILTER_NOT_FOUND, FILTER_NOT_READY, FILTER_DAMAGED, WRONG_KEY_TYPE,
   *     STORE_UNAVAILABLE, FILTER_CHANGED; INVALID_REQUEST if the format has no such filter
   */
  public Export begin(FilterName name, FileFormat format, boolean asPlain) {
    var begun = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return live.runOnSegments(
        name,
        known -> {
          // What is remembered may lack the last layers.
          var filter = known.grows() ? live.getReady(name) : known;
          var plan = plan(filter, asPlain);
          if (asPlain && filter.window().isPresent()) {
            throw RequestErrors.invalid(
                "The filter '%s' has a window, and its elements have ages, which bits do not tell. Leave plain out."
                    .formatted(name));
          }
          requireHeld(filter, plan.parameters(), format);
          var header = new FileHeader(name, plan, filter.generation().number(), begun);
          return new Export(filter, format, header);
        });
  }

  /** Likewise, as it is. */
  public Export begin(FilterName name, FileFormat format) {
    return begin(name, format, false);
  }

  private static FilterPlan plan(Filter filter, boolean asPlain) {
    return asPlain && filter.isCounting()
        ? FilterPlan.of(filter.parameters().withBits())
        : FilterPlan.like(filter);
  }

  private static void requireHeld(Filter filter, FilterParameters parameters, FileFormat format) {
    if (parameters.counting() && !format.holds(parameters)) {
      throw RequestErrors.invalid(
          "The filter '%s' counts its elements, and a file in the format %s has no counters. Export it in the format %s, or send plain=true for a file of bits."
              .formatted(filter.name(), format.id(), FileFormat.BLOOMGATE.id()));
    }
    if (!format.holds(parameters)) {
      throw RequestErrors.invalid(
          "The filter '%s', of the hashScheme %s and with %d segments, cannot be exported in the format %s. Export it in one of: %s."
              .formatted(
                  filter.name(),
                  parameters.hashScheme().id(),
                  filter.segments(),
                  format.id(),
                  FileFormat.of(parameters).stream().map(FileFormat::id).collect(joining(", "))));
    }
  }

  /** An export that has begun. To be written once, on a thread that may wait. */
  public final class Export {

    private final Filter filter;
    private final FileFormat format;
    private final FileHeader header;
    private SegmentBytes first;

    private Export(Filter filter, FileFormat format, FileHeader header) {
      this.filter = filter;
      this.format = format;
      this.header = header;
      if (filter.isPlain()) {
        await(segments.bringHome(filter, 0));
      }
      first = read(0, 0);
    }

    /** A name for the file, made of the filter's. */
    public String fileName() {
      return format.fileName(filter.name());
    }

    /** How many bytes the file has. */
    public long length() {
      return FilterFiles.length(format, header);
    }

    /**
     * Writes the file. When this fails, what was written lacks the end of a file, so that nobody
     * takes it for one.
     *
     * @throws BloomException FILTER_CHANGED or FILTER_NOT_FOUND if the filter was cleared,
     *     replaced, renamed or deleted meanwhile; FILTER_DAMAGED; STORE_UNAVAILABLE
     * @throws IOException if the stream fails
     */
    public void writeTo(OutputStream out) throws IOException {
      try {
        var file = FilterFiles.write(format, header, out);
        for (var segment = 0; segment < filter.segments(); segment++) {
          write(file, segment);
        }
        // A later segment may hold the old content for a while after the filter was cleared.
        await(filters.verify(filter));
        file.end();
      } catch (StaleFilterException stale) {
        throw FilterErrors.changed(filter.name());
      }
    }

    private void write(FilterWriter file, int segment) throws IOException {
      var reads = new SegmentReads();
      if (segment > 0 && filter.isPlain()) {
        await(live.onSegment(filter, segment, () -> segments.bringHome(filter, segment)));
      }
      for (var offset = 0L; offset < header.plan().shapeOf(segment).segmentBytes(); ) {
        var read = next(segment, offset);
        reads.add(read);
        file.write(read.bytes());
        if (read.newest().isPresent()) {
          file.newestSlice(read.newest().get());
        }
        offset += read.bytes().length;
      }
      reads.requireCounted(filter, segment, file.bitsSet());
      file.endSegment(insertions(reads.counts(), file.bitsSet()), reads.isOfOneMoment());
    }

    /** What others added to an adopted bitmap hardly any library has counted. */
    private long insertions(SegmentCounts counts, long bitsSet) {
      return !filter.countsAllInsertions()
          ? Sizing.approximateElementCount(
                  bitsSet, filter.shape().segmentBits(), filter.shape().numHashFunctions())
              .orElse(counts.insertions())
          : counts.insertions();
    }

    private SegmentBytes next(int segment, long offset) {
      var read = first == null ? read(segment, offset) : first;
      first = null;
      return read;
    }

    private SegmentBytes read(int segment, long offset) {
      if (!filter.isPlain()) {
        var content = contents.read(filter, segment);
        return header.parameters().isPlain() ? withBits(content) : content;
      }
      return await(
          live.onSegment(
              filter, segment, () -> segments.read(filter, segment, offset, bytesPerRead)));
    }

    /** Of how many elements the counters are they do not tell: one may have been added often. */
    private SegmentBytes withBits(SegmentBytes read) {
      var shape = header.parameters().shape();
      var bitsSet = read.counts().placesSet();
      var elements =
          Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions())
              .orElse(read.counts().insertions());
      return new SegmentBytes(
          Counters.toBits(read.bytes()), new SegmentCounts(bitsSet, elements), read.version());
    }
  }
}
