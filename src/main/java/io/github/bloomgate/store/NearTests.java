package io.github.bloomgate.store;

import io.github.bloomgate.filter.BitmapVersion;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.near.NearBitmap;
import io.github.bloomgate.near.NearBitmaps;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Tests elements against copies of bitmaps where there are any, with the answers that Redis would
 * give. One small question tells which version the bitmap has: if the copy has it, the copy
 * decides; if not, it may be of another history, and all is asked for in Redis.
 */
@ApplicationScoped
public class NearTests {

  private static final Logger LOG = Logger.getLogger(NearTests.class);

  /**
   * Who asks while questions are under way shares the next: no answer is older than its question.
   */
  private final Coalescer<Question, Filter, BitmapVersion> versions;

  private final SegmentStore segments;
  private final NearBitmaps copies;
  private final Counter decided;
  private final Counter asked;

  NearTests(SegmentStore segments, NearBitmaps copies, MeterRegistry metrics) {
    this.versions = new Coalescer<>(all -> 1, asker -> 0, this::versions);
    this.segments = segments;
    this.copies = copies;
    this.decided = tested(metrics, "near");
    this.asked = tested(metrics, "redis");
  }

  private static Counter tested(MeterRegistry metrics, String where) {
    return Counter.builder("bloom.near.tests")
        .description("Elements tested against a copy near the service, or in Redis")
        .tag("decided", where)
        .register(metrics);
  }

  private Uni<List<BitmapVersion>> versions(Question of, List<Filter> askers) {
    return segments
        .version(askers.get(0), of.segment())
        .map(version -> Collections.nCopies(askers.size(), version));
  }

  /** Copies for a request to test its elements against, unless there can be none. */
  public Optional<NearCopies> copies(Filter filter) {
    return copies.holds(filter) ? Optional.of(new NearCopies(this, filter)) : Optional.empty();
  }

  /** A copy that may decide, or null. */
  NearBitmap copyOf(Filter filter, int segment) {
    return copies.find(filter, segment).filter(NearBitmap::isOfUse).orElse(null);
  }

  /** Which version a segment has; whatever keeps it from being told drops the copy. */
  Uni<BitmapVersion> version(Filter filter, int segment) {
    return versions
        .send(Question.of(filter, segment), filter)
        .onFailure()
        .invoke(() -> copies.drop(filter, segment));
  }

  /**
   * Tells what the answers of a copy are worth; one that is out of date is not asked again.
   *
   * @param before the version of the copy before it was asked
   * @param now the version of the segment afterwards
   * @param tested how many elements it was asked for
   */
  static Trust judge(NearBitmap copy, BitmapVersion before, BitmapVersion now, int tested) {
    var trust =
        now.isSameAs(before)
            ? Trust.EXACT
            : now.isSameAs(copy.version()) ? Trust.FOLLOWED : Trust.NONE;
    if (trust == Trust.NONE) {
      copy.outrun(before);
    } else {
      copy.misses().spare(tested);
    }
    return trust;
  }

  /**
   * Tests the elements of a batch in Redis: for each, in order, whether it might be contained.
   * Fails as {@link SegmentStore#test} does.
   */
  public Uni<boolean[]> inRedis(Filter filter, SegmentBatch batch) {
    asked.increment(batch.elements().length);
    miss(filter, batch.segment(), batch.elements().length);
    return segments.test(filter, batch);
  }

  /**
   * Notes that there was no copy to test elements against, or one that is out of date; a segment
   * that is tested often gets one.
   */
  public void miss(Filter filter, int segment, int elements) {
    if (copies.takes(filter) && isReadDue(filter, segment, elements)) {
      copies.open(filter, segment).ifPresent(copy -> read(filter, segment, copy));
    }
  }

  private boolean isReadDue(Filter filter, int segment, int elements) {
    // One that is being read must not be replaced, or it is of no use when it is there.
    return copies
        .find(filter, segment)
        .map(copy -> copy.isOutrun() && copy.misses().add(elements, filter.shape().segmentBytes()))
        .orElseGet(() -> copies.missed(filter, segment, elements));
  }

  /** Notes that elements were tested against a copy. */
  public void decided(int elements) {
    decided.increment(elements);
  }

  /** In the background: who asks meanwhile asks Redis. */
  private void read(Filter filter, int segment, NearBitmap copy) {
    segments
        .read(filter, segment, 0, (int) filter.shape().segmentBytes())
        .subscribe()
        .with(
            read -> copy.load(read.bytes(), read.version()),
            failure -> {
              LOG.debugf("A segment of filter %s could not be copied: %s", filter.name(), failure);
              copies.drop(filter, segment);
            });
  }

  /** What the answers of a copy are worth. */
  enum Trust {
    /** They hold. */
    EXACT,

    /**
     * It has been brought to the segment's version since it was asked: if asked again they hold.
     */
    FOLLOWED,

    /** Nothing: the segment has another version, or there is no copy. */
    NONE
  }

  /**
   * What is asked for: a segment, of a generation. A renamed filter keeps its generation, and those
   * who still know it by its old name must learn that it has gone: so the name counts.
   */
  private record Question(FilterName name, Generation generation, int segment) {
    private static Question of(Filter filter, int segment) {
      return new Question(filter.name(), filter.generation(), segment);
    }
  }
}
