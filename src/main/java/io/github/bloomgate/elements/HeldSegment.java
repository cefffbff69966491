package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.SegmentGroup;
import io.github.bloomgate.store.StoredGeneration;
import java.time.Duration;
import java.util.Optional;

/** A segment with a copy in this instance. Used only on the thread of the rounds. */
final class HeldSegment {

  private static final long IDLE = Duration.ofSeconds(5).toNanos();

  /** What happens to the segment outside of rounds. */
  private enum Work {
    NONE,
    READING,
    /** Reading has ended, and requests that wait for it have not used the segment yet. */
    READ,
    /** It is being folded, or queued for that. */
    FOLDING
  }

  private final Layer layer;
  private final int index;
  private Generation generation;
  private SegmentCopy copy;
  private boolean isAsked;
  private Work work = Work.NONE;
  private boolean mustRead;
  private RuntimeException readFailure;
  private final FoldNeed fold = new FoldNeed();
  private long changedAtNanos = System.nanoTime();
  private long usedAtNanos = changedAtNanos;
  private final Freshness freshness = new Freshness();

  /**
   * @param index among the segments of all layers
   */
  HeldSegment(Generation generation, Layer layer, int index) {
    this.generation = generation;
    this.layer = layer;
    this.index = index;
    this.copy = SegmentCopy.empty(layer.format());
    this.mustRead = generation.written().contains(index);
  }

  Layer layer() {
    return layer;
  }

  int index() {
    return index;
  }

  /** The length of its bitmap, which is most of what a read transfers. */
  int bitmapBytes() {
    return layer.format().bitmapBytes();
  }

  /** The generation, at the version of the latest question about the segment. */
  Generation generation() {
    return generation;
  }

  /** The error if the segment is missing or malformed. */
  BloomException damaged() {
    return generation.stored().damaged(index);
  }

  void setGeneration(Generation changed) {
    generation = changed;
  }

  /** Records that the rebuild that loaded the segment is no longer open, so it may be committed. */
  void noteCommitted() {
    generation = generation.committed();
  }

  SegmentCopy copy() {
    return copy;
  }

  /** Asks for everything after the copy, and appends a block. */
  SegmentGroup.Question question(byte[] block) {
    return new SegmentGroup.Question(index, copy.position(), copy.mark(), block);
  }

  /** Whether the current round asks it. */
  boolean isAsked() {
    return isAsked;
  }

  void beginAsking() {
    isAsked = true;
  }

  void endAsking() {
    isAsked = false;
    usedAtNanos = System.nanoTime();
    if (isFolded()) {
      fold.nothingYet(usedAtNanos);
    }
  }

  /** Whether no round has used it recently. */
  boolean isIdle() {
    return System.nanoTime() - usedAtNanos > IDLE;
  }

  /** How fresh the copy is, and whether a watched filter needs it so. */
  Freshness freshness() {
    return freshness;
  }

  /**
   * Records that the copy has all blocks that Redis had when it replied to a call about the current
   * version of the filter.
   *
   * @param confirmed by this call
   */
  void setAsOf(AsOf confirmed) {
    freshness.set(confirmed, generation.stored());
  }

  /**
   * As of when the copy is, in a version of the filter; empty if that is unknown. A call about
   * another version says nothing about this one: elements may have gone to another layer since.
   */
  Optional<AsOf> asOf(StoredGeneration version) {
    return mustRead ? Optional.empty() : freshness.asOf(version);
  }

  boolean mustRead() {
    return mustRead;
  }

  void requireRead() {
    mustRead = true;
  }

  void read(SegmentCopy current) {
    copy.close();
    copy = current;
    mustRead = false;
    // The read did not check the version of the filter.
    freshness.doubt();
    noteChange();
    fold.done();
  }

  void beginReading() {
    work = Work.READING;
  }

  /**
   * Keeps the copy until the waiting requests have used it.
   *
   * @param failure makes them fail, because the segment could not be read; or null
   */
  void endReading(RuntimeException failure) {
    work = Work.READ;
    readFailure = failure;
  }

  /** Records that the requests that waited for reading have used the segment. */
  void release() {
    work = work == Work.READ ? Work.NONE : work;
    readFailure = null;
  }

  /** Throws the failure to read the segment, if the waiting requests have not had it. */
  void throwFailure() {
    if (readFailure != null) {
      throw readFailure;
    }
  }

  /** Whether and when its journal must be folded. */
  FoldNeed fold() {
    return fold;
  }

  /**
   * Records that folding failed and may have written anything. Makes the next requests with a full
   * journal fail.
   */
  void failFolding(RuntimeException failure) {
    copy.notWritten();
    fold.fail(failure);
  }

  /** Whether it can be folded, and must be or no fold has just failed. */
  boolean mayFold() {
    return work != Work.FOLDING && !mustRead && fold.isPossible();
  }

  void beginFolding() {
    work = Work.FOLDING;
  }

  void endFolding() {
    work = Work.NONE;
  }

  /**
   * Whether requests must wait. During a fold they wait only if the journal is full or the segment
   * must be read.
   */
  boolean mustWait() {
    return work == Work.READING || (work == Work.FOLDING && (fold.isUrgent() || mustRead));
  }

  boolean isInUse() {
    return isAsked || work != Work.NONE;
  }

  void noteChange() {
    changedAtNanos = System.nanoTime();
  }

  /** Whether a fold would change nothing, or is impossible. */
  boolean isFolded() {
    return mustRead || copy.unfolded() <= 0;
  }

  /**
   * Whether it can and should be folded: it has not changed for a while, or has not been folded for
   * longer.
   */
  boolean isDue(Duration unchanged, Duration unfolded) {
    var now = System.nanoTime();
    return !isInUse()
        && !isFolded()
        && (now - changedAtNanos >= unchanged.toNanos()
            || now - fold.sinceNanos() >= unfolded.toNanos());
  }
}
