package io.github.bloomgate.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;

import io.github.bloomgate.elements.ContentReader;
import io.github.bloomgate.elements.WholeSegments;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.files.portable.FilterWriter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.RawStore;
import io.github.bloomgate.store.StoredContent.Raw;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
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
  private final WholeSegments segments;
  private final MemoryBudget memory;

  public ExportService(LiveFilters live, WholeSegments segments, MemoryBudget memory) {
    this.live = live;
    this.segments = segments;
    this.memory = memory;
  }

  /**
   * Begins an export. Reads no content.
   *
   * @param asPlain whether to write counters as bits
   * @throws BloomException FILTER_NOT_FOUND, FILTER_DAMAGED, WRONG_KEY_TYPE, STORE_UNAVAILABLE;
   *     INVALID_REQUEST if the format cannot contain the filter
   */
  public Export begin(FilterName name, FileFormat format, boolean asPlain) {
    var generation = live.get(name).live();
    var plan = plan(generation, asPlain);
    var refusal = generation.kind().bitsRefusal();
    if (asPlain && refusal.isPresent()) {
      throw RequestErrors.invalid(
          "The filter '%s' %s. Leave plain out.".formatted(name, refusal.get()));
    }
    requireHeld(generation, plan.parameters(), format);
    var header = new FileHeader(name, plan, generation.number());
    return new Export(generation, format, header);
  }

  private static FilterPlan plan(Generation generation, boolean asPlain) {
    return asPlain && generation.isCounting()
        ? FilterPlan.of(generation.parameters().withBits())
        : generation.plan().openedAt(Optional.empty());
  }

  private static void requireHeld(
      Generation generation, FilterParameters parameters, FileFormat format) {
    if (generation.isCounting() && !parameters.kind().hasBitsOnly() && !format.holds(parameters)) {
      throw RequestErrors.invalid(
          "The filter '%s' counts its elements, but a file in the format %s has no counters. Export it in the format %s, or send plain=true for a file of bits."
              .formatted(generation.name(), format.id(), FileFormat.BLOOMGATE.id()));
    }
    if (!format.holds(parameters)) {
      throw RequestErrors.invalid(
          "The filter '%s', with the hashScheme %s and %s, cannot be exported in the format %s. Export it in one of: %s."
              .formatted(
                  generation.name(),
                  parameters.hashScheme().id(),
                  generation.segmentsInWords(),
                  format.id(),
                  FileFormat.of(parameters).stream().map(FileFormat::id).collect(joining(", "))));
    }
  }

  /** A running export. Must be written once, on a thread that may block. */
  public final class Export {

    private final Generation generation;
    private final FileFormat format;
    private final FileHeader header;
    private final ContentReader reader;

    /** The marks of the segments written so far. */
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private Export(Generation generation, FileFormat format, FileHeader header) {
      this.generation = generation;
      this.format = format;
      this.header = header;
      this.reader = segments.reader(generation);
    }

    public String fileName() {
      return format.fileName(generation.name());
    }

    public long length() {
      return format.length(header);
    }

    /** Reads the start of the content, so that most failures occur before anything is written. */
    public void tryFirst() {
      reader.read(0, 1);
    }

    /**
     * Reads what identifies the current content, but no bits. Files with equal identities are the
     * same to the byte.
     *
     * @return empty for raw bits, which other clients change without a trace
     * @throws BloomException as {@link #writeTo}
     */
    public Optional<byte[]> identity() {
      return reader.marks().map(this::identity);
    }

    /** The identity of the whole file that was written, as {@link #identity()}. */
    public Optional<byte[]> writtenIdentity() {
      return Optional.of(written.toByteArray())
          .filter(marks -> marks.length == SegmentCopy.MARK_BYTES * generation.segments())
          .map(this::identity);
    }

    /** Of everything that the bytes of a file depend on. */
    private byte[] identity(byte[] marks) {
      var id = format.id().getBytes(US_ASCII);
      var json = header.json();
      return ByteBuffer.allocate(id.length + json.length + marks.length)
          .put(id)
          .put(json)
          .put(marks)
          .array();
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
      if (generation.storedContent() instanceof Raw raw) {
        writeInParts(file, raw.shape().segmentBytes());
      } else {
        for (var index = 0; index < generation.segments(); index++) {
          write(file, index);
        }
      }
      var now = live.get(generation.name()).live();
      if (!now.content().equals(generation.content())) {
        throw FilterErrors.changed(generation.name());
      }
      file.end();
    }

    private void write(FilterWriter file, int index) throws IOException {
      var bytes = (long) HELD * reader.format(index).bitmapBytes();
      var held = memory.takeOrWait(MemoryBudget.Use.BITMAPS, bytes);
      try (held;
          var content = reader.read(index)) {
        write(file, content);
      }
    }

    private void write(FilterWriter file, SegmentCopy content) throws IOException {
      var insertions = content.content().insertions();
      if (generation.isCounting() && header.parameters().kind().hasBitsOnly()) {
        file.write(Counting.toBits(content.bitmap()));
        insertions = elements(file.bitsSet(), insertions);
      } else {
        file.write(content.bitmap());
      }
      if (generation.kind() instanceof Window) {
        file.rings(content.newest(), content.content().kindHeader());
      }
      file.endSegment(insertions, true);
      written.writeBytes(content.mark());
    }

    /** Estimates the elements: repeated adds of one element make the counters' sum useless. */
    private long elements(long bitsSet, long insertions) {
      var shape = header.parameters().shape();
      return Sizing.approximateElementCount(bitsSet, shape.segmentBits(), shape.numHashFunctions())
          .orElse(insertions);
    }

    /** In parts, because a library's bitmap may have 512 MiB. */
    private void writeInParts(FilterWriter file, long length) throws IOException {
      for (var from = 0L; from < length; from += RawStore.MAX_BYTES) {
        file.write(reader.read(from, (int) Math.min(RawStore.MAX_BYTES, length - from)));
      }
      file.endSegment(reader.insertions(file.bitsSet()), length <= RawStore.MAX_BYTES);
    }
  }
}
