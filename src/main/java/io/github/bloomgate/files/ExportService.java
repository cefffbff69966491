package io.github.bloomgate.files;

import static java.util.stream.Collectors.joining;

import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.files.portable.FilterWriter;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.rebuild.ContentLoads;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.RawStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.Optional;

/**
 * Writes filters as portable files. A file contains every element whose add was acknowledged before
 * the export began. The bits of a segment are from one moment unless the file says otherwise. Holds
 * one segment at a time.
 */
@ApplicationScoped
public class ExportService {

  /** The memory of a segment: the string read, its copy and its bitmap. */
  private static final int HELD = 3;

  private final LiveFilters live;
  private final ContentLoads contents;
  private final MemoryBudget memory;
  private final Clock clock;

  public ExportService(LiveFilters live, ContentLoads contents, MemoryBudget memory, Clock clock) {
    this.live = live;
    this.contents = contents;
    this.memory = memory;
    this.clock = clock;
  }

  /**
   * Begins an export and reads the first segment, so that most failures occur before anything is
   * written.
   *
   * @param asPlain whether to write counters as bits
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED, WRONG_KEY_TYPE, STORE_UNAVAILABLE,
   *     FILTER_CHANGED; INVALID_REQUEST if the format cannot contain the filter
   */
  public Export begin(FilterName name, FileFormat format, boolean asPlain) {
    var begun = clock.instant();
    var filter = live.get(name).live();
    var plan = plan(filter, asPlain);
    if (asPlain && filter.window().isPresent()) {
      throw RequestErrors.invalid(
          "The filter '%s' has a window, so its elements have ages, which bits do not contain. Leave plain out."
              .formatted(name));
    }
    requireHeld(filter, plan.parameters(), format);
    var header = new FileHeader(name, plan, filter.generation(), begun);
    return new Export(filter, format, header);
  }

  private static FilterPlan plan(Filter filter, boolean asPlain) {
    return asPlain && filter.isCounting()
        ? FilterPlan.of(filter.parameters().withBits())
        : filter.plan().openedAt(Optional.empty());
  }

  private static void requireHeld(Filter filter, FilterParameters parameters, FileFormat format) {
    if (parameters.counting() && !format.holds(parameters)) {
      throw RequestErrors.invalid(
          "The filter '%s' counts its elements, but a file in the format %s has no counters. Export it in the format %s, or send plain=true for a file of bits."
              .formatted(filter.name(), format.id(), FileFormat.BLOOMGATE.id()));
    }
    if (!format.holds(parameters)) {
      throw RequestErrors.invalid(
          "The filter '%s', with the hashScheme %s and %s, cannot be exported in the format %s. Export it in one of: %s."
              .formatted(
                  filter.name(),
                  parameters.hashScheme().id(),
                  filter.segmentsInWords(),
                  format.id(),
                  FileFormat.of(parameters).stream().map(FileFormat::id).collect(joining(", "))));
    }
  }

  /** A running export. Must be written once, on a thread that may block. */
  public final class Export {

    private final Filter filter;
    private final FileFormat format;
    private final FileHeader header;

    private Export(Filter filter, FileFormat format, FileHeader header) {
      this.filter = filter;
      this.format = format;
      this.header = header;
      if (filter.isRaw()) {
        contents.readRaw(filter, 0, 1);
      } else {
        contents.read(filter, 0).close();
      }
    }

    public String fileName() {
      return format.fileName(filter.name());
    }

    public long length() {
      return format.length(header);
    }

    /**
     * Writes the file. After a failure the output lacks the end of a file, so that it is not
     * mistaken for a complete one.
     *
     * @throws BloomException FILTER_CHANGED or FILTER_NOT_FOUND if the filter was cleared,
     *     replaced, renamed or deleted during the export; FILTER_DAMAGED; STORE_UNAVAILABLE
     * @throws IOException if the stream fails
     */
    public void writeTo(OutputStream out) throws IOException {
      var file = format.write(header, out);
      if (filter.isRaw()) {
        writeRaw(file);
      } else {
        for (var index = 0; index < filter.segments(); index++) {
          write(file, index);
        }
      }
      var now = live.get(filter.name()).live();
      if (!now.content().equals(filter.content())) {
        throw FilterErrors.changed(filter.name());
      }
      file.end();
    }

    private void write(FilterWriter file, int index) throws IOException {
      var bytes = (long) HELD * filter.layer(index).format().bitmapBytes();
      var held = memory.takeOrWait(MemoryBudget.Use.BITMAPS, bytes);
      try (held;
          var content = contents.read(filter, index)) {
        write(file, content);
      }
    }

    private void write(FilterWriter file, SegmentCopy content) throws IOException {
      var insertions = content.content().insertions();
      if (filter.isCounting() && header.parameters().isPlain()) {
        file.write(Counters.toBits(content.bitmap()));
        insertions = elements(file.bitsSet(), insertions);
      } else {
        file.write(content.bitmap());
      }
      if (filter.window().isPresent()) {
        file.rings(content.newest(), content.content().kindHeader());
      }
      file.endSegment(insertions, true);
    }

    /** Estimates the elements: repeated adds of one element make the counters' sum useless. */
    private long elements(long bitsSet, long insertions) {
      var shape = header.parameters().shape();
      return Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions())
          .orElse(insertions);
    }

    private void writeRaw(FilterWriter file) throws IOException {
      var length = filter.shape().segmentBytes();
      for (var from = 0L; from < length; from += RawStore.MAX_BYTES) {
        file.write(
            contents.readRaw(filter, from, (int) Math.min(RawStore.MAX_BYTES, length - from)));
      }
      file.endSegment(contents.insertions(filter, file.bitsSet()), length <= RawStore.MAX_BYTES);
    }
  }
}
