package io.github.bloomgate.elements;

import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.segment.SegmentCopy;
import java.time.Duration;
import java.util.OptionalLong;

/** A segment of which this instance holds a copy. Used on the thread of the rounds only. */
final class HeldSegment {

  /** How long a fold that failed is not tried again without need. */
  private static final long FOLD_PAUSE = Duration.ofSeconds(1).toNanos();

  private final LayerView layer;
  private final int index;
  private GenerationView generation;
  private SegmentCopy copy;
  private Turn turn;
  private int history;
  private boolean isReading;
  private boolean isFolding;
  private boolean isAwaited;
  private boolean mustRead;
  private RuntimeException readFailure;
  private boolean mustFold;
  private RuntimeException foldFailure;
  private OptionalLong foldFailedAtNanos = OptionalLong.empty();
  private long changedAtNanos;
  private long dirtySinceNanos;
  private boolean isDirty;

  /**
   * A segment.
   *
   * @param index among those of all layers
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

  /** The generation, as of the version in which the segment was asked last. */
  GenerationView generation() {
    return generation;
  }

  void setGeneration(GenerationView changed) {
    var isOther = !generation.stored().equals(changed.stored());
    generation = changed;
    if (isOther && copy.unfolded() > 0) {
      noteChange(System.nanoTime());
    }
  }

  /** Not folded any more, until it is asked as of another version or name of the filter. */
  void leaveAlone(GenerationView folded) {
    isDirty = isDirty && !generation.stored().equals(folded.stored());
  }

  SegmentCopy copy() {
    return copy;
  }

  /** What the round under way asks of it; null if nothing. */
  Turn turn() {
    return turn;
  }

  void setTurn(Turn asked) {
    turn = asked;
  }

  /** Whether the copy is of no use until the segment was read. */
  boolean mustRead() {
    return mustRead;
  }

  void requireRead() {
    mustRead = true;
  }

  /**
   * Which history the copy follows: another number says that an answer may rest on blocks that
   * Redis lacks now.
   */
  int history() {
    return history;
  }

  void read(SegmentCopy current) {
    history++;
    copy.free();
    copy = current;
    mustRead = false;
    isDirty = false;
    if (copy.unfolded() > 0) {
      noteChange(System.nanoTime());
    }
  }

  /** Has the next request that asks it fail, because it could not be read. */
  void failReading(RuntimeException failure) {
    readFailure = failure;
  }

  /** Fails as {@link #failReading} said, once. */
  void throwFailure() {
    var some = readFailure;
    readFailure = null;
    if (some != null) {
      throw some;
    }
  }

  /** Notes that the next requests find the journal full. */
  void requireFold() {
    mustFold = true;
  }

  /** Whether the journal takes no more blocks. */
  boolean mustFold() {
    return mustFold;
  }

  /** Has the next requests that find the journal full fail, because it could not be folded. */
  void failFolding(RuntimeException failure, long nanos) {
    foldFailure = mustFold ? failure : null;
    foldFailedAtNanos = OptionalLong.of(nanos);
  }

  /** Whether it must be folded, or has not failed to be just before. */
  boolean mayFold(long nanos) {
    return mustFold
        || foldFailedAtNanos.isEmpty()
        || nanos - foldFailedAtNanos.getAsLong() >= FOLD_PAUSE;
  }

  /** Why the journal stayed full; null if nothing is known against it. Asked once. */
  RuntimeException takeFoldFailure() {
    var some = foldFailure;
    foldFailure = null;
    mustFold = mustFold && some == null;
    return some;
  }

  void setReading(boolean reading) {
    isReading = reading;
  }

  /** Whether it is being folded, or waits for that. */
  boolean isFolding() {
    return isFolding;
  }

  void setFolding(boolean folding) {
    isFolding = folding;
  }

  /**
   * Whether it cannot be asked now. One that is being folded can, unless its journal is full; but
   * it is not read before the fold has ended.
   */
  boolean mustWait() {
    return isReading || (isFolding && (mustFold || mustRead));
  }

  /** Whether it was read for requests that have not asked it since. */
  boolean isAwaited() {
    return isAwaited;
  }

  void setAwaited(boolean awaited) {
    isAwaited = awaited;
  }

  /** Whether the copy must be kept now. */
  boolean isInUse() {
    return turn != null || isReading || isFolding || isAwaited;
  }

  void noteChange(long nanos) {
    changedAtNanos = nanos;
    if (!isDirty) {
      isDirty = true;
      dirtySinceNanos = nanos;
    }
  }

  void noteFolded() {
    mustFold = false;
    foldFailure = null;
    foldFailedAtNanos = OptionalLong.empty();
    isDirty = copy.unfolded() > 0;
  }

  /**
   * Whether blocks wait to be folded: since the segment has not changed for a time, or for a longer
   * time although it changes.
   */
  boolean isDue(long nanos, long unchanged, long dirty) {
    return isDirty
        && copy.unfolded() > 0
        && (nanos - changedAtNanos >= unchanged || nanos - dirtySinceNanos >= dirty);
  }
}
