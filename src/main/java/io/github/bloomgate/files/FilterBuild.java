package io.github.bloomgate.files;

import io.github.bloomgate.elements.ElementHashes;
import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.files.portable.FilterFileWriter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The content of a new filter, built in memory without Redis and written as a file for an import.
 * It has the bits that a filter gets from adding the same elements in the same order through the
 * service, and equal filters give equal files. Memory holds the bitmaps. Not thread-safe.
 */
public final class FilterBuild implements AutoCloseable {

  /** The name in the file, which an import ignores. */
  private static final FilterName NAME = new FilterName("built");

  private final long memory;
  private final int words;
  private final List<LayerBuild> layers = new ArrayList<>();
  private FilterPlan plan;

  /**
   * A build without elements.
   *
   * @param parameters of a native scheme, with its key if it is keyed
   * @param memory the limit for bitmaps, in bytes
   * @throws BloomException INVALID_REQUEST if no file can be built of such a filter; LIMIT_EXCEEDED
   *     if it needs more memory
   */
  public FilterBuild(FilterParameters parameters, long memory) {
    if (parameters.kind() instanceof Window) {
      throw RequestErrors.invalid(
          "A filter with a window cannot be built in advance, because it forgets elements by the time of their adds. Create it in the service and add the elements there.");
    }
    if (!parameters.hashScheme().isNative()) {
      throw RequestErrors.invalid(
          "A filter of the hashScheme %s cannot be built in advance. Use bloomgate-1 or bloomgate-1-keyed, or let its library build the filter."
              .formatted(parameters.hashScheme().id()));
    }
    this.memory = memory;
    words = parameters.hashScheme().numWords(parameters.shape().numHashFunctions());
    plan = FilterPlan.of(parameters);
    open(plan.layers().get(0));
  }

  private void open(Layer layer) {
    var needed =
        plan.layers().stream()
            .mapToLong(some -> (long) some.shape().segments() * some.format().copyBytes())
            .sum();
    if (needed > memory) {
      throw RequestErrors.limitExceeded(
          "The filter needs %d bytes of memory for its bits, but Java may use %d outside its heap. Start it with more, such as -XX:MaxDirectMemorySize=%dm, or ask for a smaller filter."
              .formatted(needed, memory, (needed >> 20) + 1));
    }
    layers.add(new LayerBuild(layer));
  }

  /**
   * Adds elements, in order. A filter that grows gets further layers.
   *
   * @return the index of the first element that does not fit; others after it may have been added
   * @throws BloomException LIMIT_EXCEEDED if another layer needs more memory
   */
  public OptionalInt add(List<byte[]> elements) {
    var hashes = ElementHashes.of(plan.parameters().hashScheme(), words, elements);
    var pending = IntStream.range(0, elements.size()).toArray();
    for (var i = 0; pending.length > 0; i++) {
      if (i == layers.size() && !isGrown()) {
        return OptionalInt.of(pending[0]);
      }
      pending = layers.get(i).add(hashes, pending);
    }
    return OptionalInt.empty();
  }

  private boolean isGrown() {
    var next = plan.nextLayer();
    if (next.isEmpty()) {
      return false;
    }
    plan = plan.with(next.get());
    open(next.get());
    return true;
  }

  public FilterPlan plan() {
    return plan;
  }

  /** The number of elements that were new. */
  public long added() {
    return layers.stream().mapToLong(LayerBuild::added).sum();
  }

  public FilterStatistics statistics() {
    return FilterStatistics.of(plan, layers.stream().flatMap(LayerBuild::counts).toList());
  }

  /** Writes the file. */
  public void writeTo(OutputStream out) throws IOException {
    var file = new FilterFileWriter(out, new FileHeader(NAME, plan, 1));
    for (var layer : layers) {
      for (var segment : layer.all()) {
        file.write(segment == null ? new byte[layer.bitmapBytes()] : segment.bitmap());
        file.endSegment(segment == null ? 0 : segment.content().insertions(), true);
      }
    }
    file.end();
  }

  @Override
  public void close() {
    layers.forEach(LayerBuild::close);
  }
}
