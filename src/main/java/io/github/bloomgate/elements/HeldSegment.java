package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.SegmentGroup;
import java.time.Duration;

/** A segment with a copy in this instance. Used only on the thread of the rounds. */
final class HeldSegment {

  /** The pause after a failed fold, unless the journal is full. */
  private static final long FOLD_PAUSE = Duration.ofSeconds(1).toNanos();

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

  private final LayerView layer;
  private final int index;
  private Filter generation;
  private SegmentCopy copy;
  private Turn turn;
  private Work work = Work.NONE;
  private boolean mustRead;
  private RuntimeException readFailure;
  private boolean mustFold;
  private RuntimeException foldFailure;
  private long mayFoldAtNanos = System.nanoTime();
  private long changedAtNanos = mayFoldAtNanos;
  private long unfoldedSinceNanos = mayFoldAtNanos;
  private long usedAtNanos = mayFoldAtNanos;

  /**
   * @param index among the segments of all layers
   */
  HeldSegment(Filter generation, LayerView layer, int index) {
    this.generation = generation;
    this.layer = layer;
    this.index = index;
    this.copy = SegmentCopy.empty(layer.format());
    this.mustRead = generation.written().contains(index);
  }

  LayerView layer() {
    return layer;
  }

  int index() {
    return index;
  }

  /** The generation, at the version of the latest question about the segment. */
  Filter generation() {
    return generation;
  }

  /** The error if the segment is missing or malformed. */
  BloomException damaged() {
    return generation.stored().damaged(index);
  }

  void setGeneration(Filter changed) {
    generation = changed;
  }

  SegmentCopy copy() {
    return copy;
  }

  /** Asks for everything after the copy, and appends a block. */
  SegmentGroup.Question question(byte[] block) {
    return new SegmentGroup.Question(index, copy.position(), copy.mark(), block);
  }

  /** Its turn in the current round, or null. */
  Turn turn() {
    return turn;
  }

  void setTurn(Turn asked) {
    turn = asked;
    usedAtNanos = System.nanoTime();
    if (isFolded()) {
      unfoldedSinceNanos = usedAtNanos;
    }
  }

  /** Whether no round has used it recently. */
  boolean isIdle() {
    return System.nanoTime() - usedAtNanos > IDLE;
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
    noteChange();
    noteFolded();
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

  void requireFold() {
    mustFold = true;
  }

  boolean mustFold() {
    return mustFold;
  }

  /** Makes the next requests with a full journal fail, because it could not be folded. */
  void failFolding(RuntimeException failure) {
    foldFailure = mustFold ? failure : null;
    unfoldedSinceNanos = System.nanoTime();
    mayFoldAtNanos = unfoldedSinceNanos + FOLD_PAUSE;
  }

  /** Whether it can be folded, and must be or no fold has just failed. */
  boolean mayFold() {
    return work != Work.FOLDING
        && !mustRead
        && (mustFold || System.nanoTime() - mayFoldAtNanos >= 0);
  }

  /** Returns and clears the reason why the journal is still full, or null. */
  RuntimeException takeFoldFailure() {
    var some = foldFailure;
    foldFailure = null;
    mustFold = mustFold && some == null;
    return some;
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
    return work == Work.READING || (work == Work.FOLDING && (mustFold || mustRead));
  }

  boolean isInUse() {
    return turn != null || work != Work.NONE;
  }

  void noteChange() {
    changedAtNanos = System.nanoTime();
  }

  /** Since when the journal has lacked a fold or another attempt. */
  long unfoldedSinceNanos() {
    return unfoldedSinceNanos;
  }

  /** Whether a fold would change nothing, or is impossible. */
  boolean isFolded() {
    return mustRead || copy.unfolded() <= 0;
  }

  void noteFolded() {
    mustFold = false;
    foldFailure = null;
    unfoldedSinceNanos = System.nanoTime();
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
            || now - unfoldedSinceNanos >= unfolded.toNanos());
  }
}
