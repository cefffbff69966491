package io.github.bloomgate.near;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * A copy of the bitmap of one segment, as of a version: the number of its bits that are set. It may
 * hold bits of later versions too, never of another generation. Safe for many threads.
 */
public final class NearBitmap {

  /** What a copy has before it is loaded. */
  static final long UNLOADED = -1;

  /**
   * More adds than this whose place in the order is not known yet mean that one of them is lost.
   */
  private static final int MAX_PENDING = 1_000;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long epoch;
  private final long[] words;
  private final Map<Long, Long> pending = new HashMap<>();
  private final Misses misses = new Misses();
  private volatile long version = UNLOADED;

  /**
   * A copy still to be loaded.
   *
   * @param epoch of the connection it is read through
   * @param bits of the segment
   */
  NearBitmap(long epoch, long bits) {
    this.epoch = epoch;
    this.words = new long[(int) ((bits + Long.SIZE - 1) / Long.SIZE)];
  }

  /** The connection it was read through; another one may lead to a store that lost writes. */
  public long epoch() {
    return epoch;
  }

  /** Which version of the bitmap it holds at least; negative before it is loaded. */
  public long version() {
    return version;
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
   * Whether all bits of an element are set in the copy. If the copy is of a version that the
   * segment has not exceeded, they are set in the segment exactly then; of an older one, at least
   * then.
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
   * Brings the copy to what was read.
   *
   * @param bytes the whole bitmap, bit 0 being the highest bit of byte 0
   * @param read the version it was at that moment
   */
  public synchronized void load(byte[] bytes, long read) {
    var padded = ByteBuffer.wrap(Arrays.copyOf(bytes, words.length * Long.BYTES));
    for (var i = 0; i < words.length; i++) {
      set(i, padded.getLong());
    }
    pending.values().removeIf(after -> after <= read);
    misses.reset();
    if (read > version) {
      version = read;
      follow();
    }
  }

  /**
   * Lets the copy follow an add that was made through this instance.
   *
   * @param positions bits that it set, among them all that were not set before
   * @param before the version it found, and
   * @param after the one it left
   */
  public synchronized void added(LongStream positions, long before, long after) {
    if (after <= version || after == before) {
      return;
    }
    positions.forEach(position -> set((int) (position >>> 6), mask(position)));
    if (pending.size() < MAX_PENDING) {
      pending.put(before, after);
      follow();
    }
  }

  /** Adds are told in any order; the version moves when those before have been told too. */
  private void follow() {
    var now = version;
    for (var after = pending.remove(now); after != null; after = pending.remove(now)) {
      now = after;
    }
    // After the bits: who sees the version sees them.
    version = now;
  }

  private void set(int word, long bits) {
    if (bits != 0) {
      WORDS.getAndBitwiseOr(words, word, bits);
    }
  }

  private static long mask(long position) {
    return Long.MIN_VALUE >>> position;
  }
}
