package io.github.bloomgate.journal;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.Window;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The content of a segment as of a position of its journal. Not safe for several threads at once:
 * the one that has the turn of the segment uses it alone. Others may look at what one holds that is
 * full, as a hint.
 */
public final class SegmentCopy {

  private static final int LEAST_LONG_BYTES = 1 << 12;

  /** A journal gets long when it has this part of the bytes of the snapshot. */
  private static final int LONG_PART = 2;

  /** So long a segment that has the mark and the length of this copy is not looked at further. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How many times as long it may become while nobody writes a snapshot. */
  private static final int TOO_LONG = 2;

  /** So much of what is long stays for followers when a snapshot is written. */
  private static final int HISTORY_PART = 4;

  private final Bitmap bits;
  private final SegmentContent content;
  private final int segmentBytes;
  private final int k;
  private final Deque<JournalPlace> history = new ArrayDeque<>();
  private JournalPlace reached;
  private long base;
  private long folded;
  private volatile long changedAtNanos = System.nanoTime();
  private long lookedAtNanos = System.nanoTime();
  private volatile boolean isDropped;

  /**
   * A copy.
   *
   * @param shape of the filter
   * @param maxInsertions beyond which the segment refuses elements; 0: it takes all
   * @param read the snapshot as bytes, and behind it the journal
   * @param base the position of the first byte of the journal
   * @param folded the position of the snapshot
   * @param mark that of the end of the journal
   * @param counts those of the snapshot; of one with counters, those too
   * @throws IllegalArgumentException if the counts are not those of the bits, or the journal is not
   *     one
   */
  public SegmentCopy(
      FilterShape shape,
      long maxInsertions,
      byte[] read,
      long base,
      long folded,
      String mark,
      SegmentCounts counts) {
    this(
        shape,
        bits -> SegmentContent.of(bits, shape, maxInsertions, counts),
        read,
        base,
        folded,
        mark,
        counts);
  }

  private SegmentCopy(
      FilterShape shape,
      Function<Bitmap, SegmentContent> content,
      byte[] read,
      long base,
      long folded,
      String mark,
      SegmentCounts counts) {
    this.segmentBytes = (int) shape.segmentBytes();
    this.k = shape.numHashFunctions();
    this.base = base;
    this.folded = folded;
    if (read.length < segmentBytes + folded - base) {
      throw new IllegalArgumentException("it is shorter than it should be");
    }
    this.bits = new Bitmap(read, segmentBytes);
    this.content = content.apply(bits);
    if (bits.bitsSet() != counts.bitsSet()) {
      throw new IllegalArgumentException("the bits are not those that were counted");
    }
    reached = new JournalPlace(folded, "");
    replay(read, segmentBytes + Math.toIntExact(folded - base));
    reached = new JournalPlace(reached.position(), mark);
  }

  /** A copy of a segment that forgets; likewise. */
  public static SegmentCopy ofWindow(
      FilterShape shape,
      Window window,
      byte[] read,
      long base,
      long folded,
      String mark,
      SegmentCounts counts,
      Slice at) {
    var k = shape.numHashFunctions();
    return new SegmentCopy(
        shape,
        bits -> new WindowContent(bits, k, window, counts.insertions(), at),
        read,
        base,
        folded,
        mark,
        counts);
  }

  /** What a copy of such a segment takes in memory, in bytes. */
  public static int bytes(FilterShape shape) {
    return (int) shape.segmentBytes();
  }

  /** Likewise. */
  public int bytes() {
    return bits.capacity();
  }

  /** How many bits an element has. */
  public int numHashFunctions() {
    return k;
  }

  /** What the segment holds there. */
  public SegmentContent content() {
    return content;
  }

  /** How far it has come. */
  public JournalPlace reached() {
    return reached;
  }

  /** What the segment counts there. */
  public SegmentCounts counts() {
    return new SegmentCounts(
        bits.bitsSet(), content.insertions(), Optional.empty(), content.counters());
  }

  /** Adds what another copy has; both forget or count, and in the same way. */
  public void addAll(SegmentCopy other) {
    content.addAll(other.content);
  }

  /**
   * Adds what others have journaled since the position reached.
   *
   * @param blocks as {@link Blocks} writes them
   * @throws IllegalArgumentException if they are none
   */
  public void replay(byte[] blocks) {
    replay(blocks, 0);
  }

  private void replay(byte[] blocks, int from) {
    new BlockReader(content, k).read(blocks, from, reached.position(), this::reach);
  }

  /** Notes that what was added here was journaled, as so many bytes that end with a mark. */
  public void journaled(int bytes, String mark) {
    reach(new JournalPlace(reached.position() + bytes, mark));
  }

  /** Notes that what was added here is in the snapshot, and not journaled. */
  public void written(String mark) {
    history.clear();
    reached = new JournalPlace(reached.position(), mark);
    folded = reached.position();
    base = reached.position();
    changedAtNanos = System.nanoTime();
  }

  private void reach(JournalPlace place) {
    reached = place;
    changedAtNanos = System.nanoTime();
    history.addLast(place);
    while (place.position() - history.getFirst().position() > longBytes() / HISTORY_PART) {
      history.removeFirst();
    }
  }

  /** Notes what Redis has said of the snapshot and the journal. */
  public void note(long base, long folded) {
    this.base = base;
    this.folded = folded;
    lookedAtNanos = System.nanoTime();
  }

  /**
   * Whether Redis has to look at all that it has of the segment, which takes it a while. That it is
   * the same is told by less, but not that nobody has damaged what nobody needs for that.
   */
  public boolean isToBeLookedAt() {
    return System.nanoTime() - lookedAtNanos > LOOK_NANOS;
  }

  /** Notes that the bitmap has come as far as this copy, and whether the journal is gone. */
  public void replayed(boolean dropped) {
    folded = reached.position();
    if (dropped) {
      base = folded;
      history.clear();
    }
  }

  /** Where the journal may begin when a snapshot of this copy is written. */
  public JournalPlace history() {
    return history.isEmpty() ? reached : history.getFirst();
  }

  /** From how many bytes on a snapshot is cheaper than a journal. */
  public int longBytes() {
    return Math.max(LEAST_LONG_BYTES, segmentBytes / LONG_PART);
  }

  /** How long a journal may become. */
  public int mostBytes() {
    return TOO_LONG * longBytes();
  }

  /** Whether a snapshot should be written before more is journaled. */
  public boolean isLong() {
    return reached.position() - base >= longBytes();
  }

  /** How many bytes Redis has of the segment: the snapshot, and behind it the journal. */
  public long storedBytes() {
    return segmentBytes + kept();
  }

  /** How many bytes of the journal the snapshot lacks. */
  public long unfolded() {
    return reached.position() - folded;
  }

  /** How many bytes of the journal are kept. */
  public long kept() {
    return reached.position() - base;
  }

  /** Notes that it is not held any more. */
  void drop() {
    isDropped = true;
  }

  /** Whether it is not held any more, perhaps since somebody took it to work on it. */
  public boolean isDropped() {
    return isDropped;
  }

  /** When the content changed last, as {@link System#nanoTime} tells it. */
  public long changedAtNanos() {
    return changedAtNanos;
  }

  /** The bitmap, as Redis has it. */
  public byte[] snapshot() {
    return bits.toBytes();
  }
}
