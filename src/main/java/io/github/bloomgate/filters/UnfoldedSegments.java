package io.github.bloomgate.filters;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.FilterStore.Asked;
import io.github.bloomgate.store.StoredGeneration;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Segments that this instance has seen with blocks that their bitmaps lack. Usually an instance
 * with a copy folds them within seconds. If none does, because the copy was dropped, the instance
 * died or the filter was renamed, the counts in the header would stay too low. Thread-safe.
 */
@Singleton
public class UnfoldedSegments {

  private static final int MOST = 10_000;

  private final Cache<String, Seen> all =
      Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(Duration.ofMinutes(10)).build();

  /**
   * A segment.
   *
   * @param length in Redis when it was seen
   * @param sinceNanos since when it has had this length, in terms of {@link System#nanoTime()}
   */
  public record Seen(
      StoredGeneration generation,
      int segment,
      SegmentFormat format,
      long length,
      long sinceNanos) {}

  void note(Asked asked, long length) {
    note(asked.generation(), asked.segment(), asked.format(), length);
  }

  /** Records a segment, unless it is known with this length. */
  public void note(StoredGeneration generation, int segment, SegmentFormat format, long length) {
    var seen = new Seen(generation, segment, format, length, System.nanoTime());
    all.asMap()
        .merge(
            generation.segmentKey(segment),
            seen,
            (known, now) ->
                known.length == length && known.generation.equals(generation) ? known : now);
  }

  /** Removes and returns one of those that were seen some time ago. */
  public Optional<Seen> take(Duration age) {
    var now = System.nanoTime();
    return all.asMap().entrySet().stream()
        .filter(entry -> now - entry.getValue().sinceNanos >= age.toNanos())
        .filter(entry -> all.asMap().remove(entry.getKey(), entry.getValue()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
