package io.github.bloomgate.elements;

import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import java.time.Duration;

/** A segment with a copy in this instance. Used only on the thread of the rounds. */
final class HeldSegment {

  /** The pause after a failed fold, unless the journal is full. */
  private static final long FOLD_PAUSE = Duration.ofSeconds(1).toNanos();

  private static final long IDLE = Duration.ofSeconds(5).toNanos();

  private final LayerView layer;
  private final int index;
  private GenerationView generation;
  private SegmentCopy copy;
  private Turn turn;
  private boolean isReading;
  private boolean isFolding;
  private boolean isAwaited;
  private boolean mustRead;
  private RuntimeException readFailure;
  private boolean mustFold;
  private RuntimeException foldFailure;
  private long mayFoldAtNanos = System.nanoTime();
  private long changedAtNanos;
  private long dirtySinceNanos;
  private boolean isDirty;
  private long usedAtNanos = System.nanoTime();

  /**
   * @param index among the segments of all layers
   */
  HeldSegment(GenerationView generation, LayerView layer, int index) {
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
  GenerationView generation() {
    return generation;
  }

  /** The error if the segment is missing or malformed. */
  BloomException damaged() {
    return generation.stored().damaged(index);
  }

  void setGeneration(GenerationView changed) {
    var isOther = !generation.stored().equals(changed.stored());
    generation = changed;
    if (isOther && copy.unfolded() > 0) {
      noteChange();
    }
  }

  /** Stops folding until a question with another version or name of the filter. */
  void leaveAlone(GenerationView folded) {
    isDirty = isDirty && !generation.stored().equals(folded.stored());
  }

  SegmentCopy copy() {
    return copy;
  }

  /** Its turn in the current round, or null. */
  Turn turn() {
    return turn;
  }

  void setTurn(Turn asked) {
    turn = asked;
    usedAtNanos = System.nanoTime();
  }

  /** Whether no round has used it recently. */
  boolean isIdle() {
    return System.nanoTime() - usedAtNanos > IDLE;
  }

  /** Whether the segment must be read before the copy can be used. */
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
    beginClean();
  }

  /** Makes the waiting requests for the segment fail, because it could not be read. */
  void failReading(RuntimeException failure) {
    readFailure = failure;
  }

  /** Throws the failure of {@link #failReading}, if the waiting requests have not had it. */
  void throwFailure() {
    if (readFailure != null) {
      throw readFailure;
    }
  }

  /** Records that the journal is full. */
  void requireFold() {
    mustFold = true;
  }

  /** Whether the journal is full. */
  boolean mustFold() {
    return mustFold;
  }

  /** Makes the next requests with a full journal fail, because it could not be folded. */
  void failFolding(RuntimeException failure) {
    foldFailure = mustFold ? failure : null;
    // Others are folded first.
    dirtySinceNanos = System.nanoTime();
    mayFoldAtNanos = dirtySinceNanos + FOLD_PAUSE;
  }

  /** Whether it can be folded, and must be or no fold has just failed. */
  boolean mayFold() {
    return !isFolding && !mustRead && (mustFold || System.nanoTime() - mayFoldAtNanos >= 0);
  }

  /** Returns and clears the reason why the journal is still full, or null. */
  RuntimeException takeFoldFailure() {
    var some = foldFailure;
    foldFailure = null;
    mustFold = mustFold && some == null;
    return some;
  }

  void setReading(boolean reading) {
    isReading = reading;
  }

  /** Records whether it is being folded or queued for that. */
  void setFolding(boolean folding) {
    isFolding = folding;
  }

  /**
   * Whether requests must wait. During a fold they wait only if the journal is full or the segment
   * must be read.
   */
  boolean mustWait() {
    return isReading || (isFolding && (mustFold || mustRead));
  }

  /** Records whether reading it has ended, and requests that wait for it have not used it yet. */
  void setAwaited(boolean awaited) {
    isAwaited = awaited;
    readFailure = awaited ? readFailure : null;
  }

  /** Whether the copy must be kept. */
  boolean isInUse() {
    return turn != null || isReading || isFolding || isAwaited;
  }

  void noteChange() {
    changedAtNanos = System.nanoTime();
    if (!isDirty) {
      isDirty = true;
      dirtySinceNanos = changedAtNanos;
    }
  }

  /** Since when a dirty segment lacks a fold or another attempt. */
  long dirtySinceNanos() {
    return dirtySinceNanos;
  }

  /** Whether a fold would change nothing. */
  boolean isFolded() {
    return !isDirty;
  }

  void noteFolded() {
    mustFold = false;
    foldFailure = null;
    beginClean();
  }

  private void beginClean() {
    isDirty = false;
    if (copy.unfolded() > 0) {
      noteChange();
    }
  }

  /**
   * Whether it can and should be folded: it has not changed for a while, or has lacked a fold for
   * longer.
   */
  boolean isDue(Duration unchanged, Duration dirty) {
    var now = System.nanoTime();
    return !isInUse()
        && !mustRead
        && isDirty
        && copy.unfolded() > 0
        && (now - changedAtNanos >= unchanged.toNanos()
            || now - dirtySinceNanos >= dirty.toNanos());
  }
}
