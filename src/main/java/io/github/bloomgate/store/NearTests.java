package io.github.bloomgate.store;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.near.NearBitmap;
import io.github.bloomgate.near.NearBitmaps;
import io.github.bloomgate.redis.ScriptRunner;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Tests elements against copies of bitmaps where there are any, with the answers that Redis would
 * give. One small question tells which version the bitmap has: if the copy has it, the copy
 * decides; if the copy is older, what it holds is held, and the rest is asked for in Redis. Fails
 * as {@link SegmentStore#test} does.
 */
@ApplicationScoped
public class NearTests {

  private static final Logger LOG = Logger.getLogger(NearTests.class);

  /**
   * Who asks while questions are under way shares the next: no answer is older than its question.
   */
  private final Coalescer<Version, Filter, Long> versions =
      new Coalescer<>(all -> 1, asker -> 0, this::versions);

  private final SegmentStore segments;
  private final ScriptRunner scripts;
  private final NearBitmaps copies;
  private final Counter decided;
  private final Counter asked;

  NearTests(
      SegmentStore segments, ScriptRunner scripts, NearBitmaps copies, MeterRegistry metrics) {
    this.segments = segments;
    this.scripts = scripts;
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

  /** Whether copies of a filter's segments may be held. */
  public boolean takes(Filter filter) {
    return copies.takes(filter);
  }

  private Uni<List<Long>> versions(Version of, List<Filter> askers) {
    return segments
        .version(askers.get(0), of.segment())
        .map(version -> Collections.nCopies(askers.size(), version));
  }

  /** Tests the elements of a batch: for each, in order, whether it might be contained. */
  public Uni<boolean[]> test(Filter filter, SegmentBatch batch) {
    if (!copies.takes(filter)) {
      return inRedis(filter, batch);
    }
    var segment = batch.segment();
    var copy = copies.find(filter.generation(), segment).orElse(null);
    if (copy == null || copy.version() < 0) {
      // One that is being read must not be replaced, or it is of no use when it is there.
      if (copy == null && copies.missed(filter, segment, batch.elements().length)) {
        scripts
            .epoch()
            .ifPresent(epoch -> read(filter, segment, copies.open(filter, segment, epoch)));
      }
      return inRedis(filter, batch);
    }
    var before = copy.version();
    return versions
        .send(Version.of(filter, segment), filter)
        .chain(now -> decide(filter, batch, copy, before, now))
        .onFailure()
        .invoke(() -> copies.drop(filter, segment));
  }

  /**
   * Decides what can be decided here.
   *
   * @param before the version of the copy before the question was asked
   * @param now the answer
   */
  private Uni<boolean[]> decide(
      Filter filter, SegmentBatch batch, NearBitmap copy, long before, long now) {
    // Read before the bits are: those of this version are all there then.
    var held = copy.version();
    if (!scripts.epoch().equals(OptionalLong.of(copy.epoch())) || now < before) {
      // Redis may have lost writes, and counted others since.
      copies.drop(filter, batch.segment());
      return inRedis(filter, batch);
    }
    var maybe = held(copy, batch, filter.shape().numHashFunctions());
    var absent = absent(maybe);
    var rest = held >= now ? new int[0] : absent;
    decided.increment(maybe.length - rest.length);
    if (rest.length == 0) {
      copy.misses().spare(absent.length);
      return Uni.createFrom().item(maybe);
    }
    if (copy.misses().add(rest.length, filter.shape().segmentBytes())) {
      read(filter, batch.segment(), copy);
    }
    return inRedis(filter, batch.only(rest))
        .map(
            answers -> {
              for (var i = 0; i < rest.length; i++) {
                maybe[rest[i]] = answers[i];
              }
              return maybe;
            });
  }

  private static boolean[] held(NearBitmap copy, SegmentBatch batch, int k) {
    var maybe = new boolean[batch.elements().length];
    for (var i = 0; i < maybe.length; i++) {
      maybe[i] = copy.contains(batch.positions(), i * k, k);
    }
    return maybe;
  }

  private static int[] absent(boolean[] maybe) {
    return IntStream.range(0, maybe.length).filter(i -> !maybe[i]).toArray();
  }

  private Uni<boolean[]> inRedis(Filter filter, SegmentBatch batch) {
    asked.increment(batch.elements().length);
    return segments.test(filter, batch);
  }

  /** In the background: who asks meanwhile asks Redis. */
  private void read(Filter filter, int segment, NearBitmap copy) {
    segments
        .read(filter, segment, 0, (int) filter.shape().segmentBytes())
        .subscribe()
        .with(
            read -> copy.load(read.bytes(), read.counts().bitsSet()),
            failure -> {
              LOG.debugf("A segment of filter %s could not be copied: %s", filter.name(), failure);
              copies.drop(filter, segment);
            });
  }

  /**
   * What is asked for: a segment, of a generation. A renamed filter keeps its generation, and those
   * who still know it by its old name must learn that it has gone: so the keys count.
   */
  private record Version(List<String> keys, Generation generation, int segment) {
    private static Version of(Filter filter, int segment) {
      return new Version(Keys.ofSegment(filter, segment), filter.generation(), segment);
    }
  }
}
