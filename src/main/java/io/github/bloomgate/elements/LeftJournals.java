package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.filters.UnfoldedSegments.Seen;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.FoldReply;
import io.github.bloomgate.store.KnownSegment;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StoredGeneration;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Folds journals for which no instance has a copy any more. They are found by descriptions, lists
 * and gauges, and when copies are dropped. Blocks.
 */
@Singleton
class LeftJournals {

  private static final Logger LOG = Logger.getLogger(LeftJournals.class);

  /** An instance with a copy folds a quiet segment sooner. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  /** Segments of up to 2 MiB each second. */
  private static final int MOST_FOLDS = 4;

  /** Segments whose length is read each second. Most are in use. */
  private static final int MOST_LOOKS = 64;

  private final UnfoldedSegments unfolded;
  private final SegmentStore store;
  private final MemoryBudget memory;
  private final RoundMeters meters;

  LeftJournals(
      UnfoldedSegments unfolded, SegmentStore store, MemoryBudget memory, MeterRegistry metrics) {
    this.unfolded = unfolded;
    this.store = store;
    this.memory = memory;
    this.meters = new RoundMeters(metrics);
  }

  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  void foldAgain() {
    fold(QUIET);
  }

  /**
   * Folds a few segments that have not changed for some time. Never fails; after the first failure,
   * the rest is left for later.
   */
  void fold(Duration unchanged) {
    var folds = 0;
    for (var looks = 0; looks < MOST_LOOKS && folds < MOST_FOLDS; looks++) {
      var seen = unfolded.take(unchanged);
      if (seen.isEmpty()) {
        return;
      }
      try {
        folds += fold(seen.get()) ? 1 : 0;
      } catch (IllegalArgumentException damaged) {
        LOG.debugf("A journal cannot be folded: %s", damaged.getMessage());
      } catch (RuntimeException failure) {
        LOG.debugf("Journals are folded later: %s", failure.getMessage());
        noteAgain(seen.get(), seen.get().generation());
        return;
      }
    }
  }

  private void noteAgain(Seen seen, StoredGeneration generation) {
    unfolded.note(generation, seen.segment(), seen.format(), seen.length());
  }

  /**
   * Folds a segment; false if it is folded, or has changed, so that its users fold it or it is seen
   * again.
   */
  private boolean fold(Seen seen) {
    var content = seen.generation().content();
    if (await(store.length(content, seen.segment())) != seen.length()) {
      return false;
    }
    var header = await(store.header(content, seen.segment(), seen.format()));
    // A bare segment has none there.
    if (header.length > 0 && seen.format().isFolded(header, seen.length())) {
      return false;
    }
    // A reply and its bytes; a copy and the new string.
    var bytes = 2 * (seen.length() + seen.format().bitmapBytes());
    var held = memory.takeOrWait(MemoryBudget.Use.BITMAPS, bytes);
    try (held) {
      var string = await(store.read(content, seen.segment()));
      if (string.isPresent() && string.get().length == seen.length()) {
        fold(seen, string.get());
      }
    }
    return true;
  }

  private void fold(Seen seen, byte[] string) {
    try (var copy = SegmentCopy.read(seen.format(), string)) {
      if (copy.unfolded() > 0) {
        var reply = write(KnownSegment.of(seen.generation(), seen.segment(), copy), copy);
        meters.countFold(reply);
        if (reply == FoldReply.CHANGED && seen.generation().isNext()) {
          // The rebuild that loaded it may have been committed.
          noteAgain(seen, seen.generation().committed());
        }
      }
    }
  }

  private FoldReply write(KnownSegment known, SegmentCopy copy) {
    var patch = copy.patch();
    return patch.isEmpty() || copy.isTrailing()
        ? await(store.fold(known, copy.fold(), Optional.empty()))
        : await(store.patch(known, patch.get()));
  }
}
