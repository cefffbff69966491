package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.elements.ContentCopies;
import io.github.bloomgate.elements.NextGenerations;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Loads the next generations of filters, while their rebuilds are open. */
@ApplicationScoped
public class RebuildLoads {

  private final NextGenerations nextGenerations;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final ContentCopies contents;

  public RebuildLoads(
      NextGenerations nextGenerations,
      SegmentStore segments,
      RebuildStore rebuilds,
      ContentCopies contents) {
    this.nextGenerations = nextGenerations;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.contents = contents;
  }

  /**
   * Finds the generation that a rebuild loads.
   *
   * @param incarnation of the one that is meant; empty for whichever is open
   * @throws BloomException REBUILD_NOT_FOUND if none is open, or another
   */
  public Uni<Filter> find(FilterName name, Optional<String> incarnation) {
    return rebuilds
        .find(name)
        .map(
            found ->
                found
                    .map(Rebuild::next)
                    .filter(
                        next ->
                            incarnation
                                .filter(meant -> !meant.equals(next.generation().incarnation()))
                                .isEmpty())
                    .orElseThrow(() -> RebuildErrors.notFound(name)));
  }

  /**
   * Loads elements into a next generation only.
   *
   * @return for each element, in order, whether it changed a bit there
   * @throws BloomException REBUILD_NOT_FOUND if it was committed or aborted meanwhile; FILTER_FULL
   *     if it rejects elements beyond its n; FILTER_NOT_READY while it is being opened
   */
  public Uni<Answers> load(Filter next, List<byte[]> elements) {
    var name = next.name();
    if (!next.isReady()) {
      return Uni.createFrom().failure(RebuildErrors.notReady(name));
    }
    return nextGenerations
        .write(next, elements)
        .onFailure(StaleFilterException.class)
        .transform(stale -> RebuildErrors.notFound(name))
        .call(written -> rebuilds.loaded(next, written.appliedCount()))
        .map(
            written -> {
              written.requireAll();
              return Answers.of(written.isNew());
            });
  }

  /**
   * Loads bytes of a bitmap into a next generation, on a thread that may wait: sets every bit of a
   * segment that is set in them, and keeps all others.
   *
   * @param offset index of the first byte in the segment
   * @param bytes at most {@link SegmentStore#MAX_UNION_BYTES}
   * @param insertions how many elements they stand for; counted as received
   * @throws BloomException REBUILD_NOT_FOUND if it was committed or aborted meanwhile
   */
  public void load(Filter next, int segment, long offset, byte[] bytes, long insertions) {
    try {
      await(segments.union(next, segment, offset, bytes, insertions));
    } catch (StaleFilterException stale) {
      throw RebuildErrors.notFound(next.name());
    }
    await(rebuilds.loaded(next, insertions));
  }

  /**
   * Loads a whole segment of a generation that counts or forgets; what was added to it stays.
   *
   * @param bytes its counters; or its slices, the newest first
   * @param insertions as above
   * @param newest where it is in its window, if it has one
   * @throws BloomException likewise; STORE_FULL, OVERLOADED
   */
  public void loadSegment(
      Filter next, int segment, byte[] bytes, long insertions, Optional<Slice> newest) {
    contents.load(next, segment, bytes, insertions, newest);
    await(rebuilds.loaded(next, insertions));
  }
}
