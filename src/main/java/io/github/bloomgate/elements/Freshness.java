package io.github.bloomgate.elements;

import io.github.bloomgate.store.StoredGeneration;
import java.time.Duration;
import java.util.Optional;

/** As of when the copy of a held segment is, and whether a watched filter needs it fresh. */
final class Freshness {

  /** Longer than the pause between two refreshes of a watched filter. */
  private static final long WATCHED = Duration.ofSeconds(10).toNanos();

  private boolean isWatched;
  private long watchedAtNanos;

  /** The call that last brought the copy up to date; null if none has. */
  private AsOf asOf;

  /** The version of the filter that this call was about. */
  private StoredGeneration asOfVersion;

  /** Records that a watched filter needs the copy. */
  void watch() {
    isWatched = true;
    watchedAtNanos = System.nanoTime();
  }

  boolean isWatched() {
    return isWatched && System.nanoTime() - watchedAtNanos <= WATCHED;
  }

  void set(AsOf confirmed, StoredGeneration version) {
    asOf = confirmed;
    asOfVersion = version;
  }

  /** Records that the copy was not compared with Redis, or that Redis holds something else. */
  void doubt() {
    asOf = null;
  }

  /** Empty for a version that the last call was not about. */
  Optional<AsOf> asOf(StoredGeneration version) {
    return asOf == null || !version.equals(asOfVersion) ? Optional.empty() : Optional.of(asOf);
  }
}
