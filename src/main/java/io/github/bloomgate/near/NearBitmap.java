package io.github.bloomgate.near;

import io.github.bloomgate.filter.BitmapVersion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * A copy of the bitmap of one segment, as of a version. It is loaded once, and then follows the
 * changes that begin with the version it has, and no others: so it holds one history of the
 * segment, maybe with bits of changes that are just being followed. Safe for many threads.
 */
public final class NearBitmap {

  /** More bits than this of changes whose turn has not come mean that one before them is lost. */
  private static final int MAX_PENDING_BITS = 1 << 14;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final Misses misses;
  private final Map<BitmapVersion, Change> pending = new HashMap<>();
  private int pendingBits;
  private volatile BitmapVersion version = BitmapVersion.UNKNOWN;
  private volatile boolean outrun;

  /**
   * A copy still to be loaded.
   *
   * @param bits of the segment
   * @param misses how often earlier ones were of no use
   */
  NearBitmap(long bits, Misses misses) {
    this.words = new long[(int) ((bits + Long.SIZE - 1) / Long.SIZE)];
    this.misses = misses;
  }

  /** Which version of the bitmap it holds; unknown before it is loaded. */
  public BitmapVersion version() {
    return version;
  }

  /** Whether it may have the version that the segment has. */
  public boolean isOfUse() {
    return version.isKnown() && !outrun;
  }

  /** Whether it is loaded and has not the version that the segment has. */
  public boolean isOutrun() {
    return outrun;
  }

  /** Notes that the segment was seen with another version while the copy had this one. */
  public synchronized void outrun(BitmapVersion seen) {
    outrun = outrun || version.equals(seen);
  }

  /** What it takes in memory. */
  int bytes() {
    return words.length * Long.BYTES;
  }

  /** How often it was of no use since it was loaded. */
  public Misses misses() {
    return misses;
  }

  /**
   * Whether all bits of an element are set in the copy. If the segment has the version that the
   * copy had before, they are set in the segment exactly then.
   *
   * @param positions bit offsets; {@code count} from {@code from} on are those of the element
   */
  public boolean contains(long[] positions, int from, int count) {
    for (var i = from; i < from + count; i++) {
      var word = (long) WORDS.getOpaque(words, (int) (positions[i] >>> 6));
      if ((word & mask(positions[i])) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Fills the copy with what was read.
   *
   * @param bytes the whole bitmap, bit 0 being the highest bit of byte 0
   * @param read the version it was at that moment; if that is not known the copy is of no use
   */
  public synchronized void load(byte[] bytes, BitmapVersion read) {
    if (version.isKnown()) {
      throw new IllegalStateException("a copy is loaded once");
    }
    misses.reset();
    if (!read.isKnown()) {
      outrun = true;
      return;
    }
    setAll(bytes);
    follow(read);
  }

  /**
   * Lets the copy follow, where it has the version before, a change that put a whole bitmap in
   * place.
   *
   * @param bytes the bitmap since, as {@link #load} has it
   */
  public synchronized void merged(byte[] bytes, BitmapVersion before, BitmapVersion after) {
    if (before.isSameAs(version) && !before.equals(after)) {
      setAll(bytes);
      follow(after);
    }
  }

  private void setAll(byte[] bytes) {
    var padded = ByteBuffer.allocate(bytes());
    padded.put(bytes).rewind();
    for (var i = 0; i < words.length; i++) {
      set(i, padded.getLong());
    }
  }

  /**
   * Lets the copy follow an add that was made through this instance.
   *
   * @param positions bits that it set, among them all that were not set before
   * @param before the version it found, and
   * @param after the one it left
   */
  public synchronized void added(LongStream positions, BitmapVersion before, BitmapVersion after) {
    if (!before.isKnown() || before.equals(after)) {
      return;
    }
    if (before.equals(version)) {
      positions.forEach(this::set);
      follow(after);
    } else {
      // Adds are told in any order, and while the copy is read.
      keep(before, new Change(positions.toArray(), after));
    }
  }

  private void keep(BitmapVersion before, Change change) {
    if (pendingBits > MAX_PENDING_BITS) {
      pending.clear();
      pendingBits = 0;
    }
    pendingBits += change.positions.length;
    pending.put(before, change);
  }

  private void follow(BitmapVersion reached) {
    var now = reached;
    for (var change = pending.remove(now); change != null; change = pending.remove(now)) {
      for (var position : change.positions) {
        set(position);
      }
      pendingBits -= change.positions.length;
      now = change.after;
    }
    // After the bits: who sees the version sees them.
    version = now;
    outrun = false;
  }

  private void set(long position) {
    set((int) (position >>> 6), mask(position));
  }

  private void set(int word, long bits) {
    // Nobody else writes meanwhile, but others read.
    WORDS.setOpaque(words, word, words[word] | bits);
  }

  private static long mask(long position) {
    return Long.MIN_VALUE >>> position;
  }

  /** The bits of an add, and the version it left. */
  private record Change(long[] positions, BitmapVersion after) {}
}
