package io.github.bloomgate.store;

import io.github.bloomgate.filter.BitmapVersion;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.near.NearBitmap;
import io.smallrye.mutiny.Uni;
import java.util.Arrays;

/**
 * The copies of a filter's segments that one request is answered from. First its elements are
 * tested, then each segment that has any is {@link #confirm}ed, and only then {@link #decides}
 * tells which answers hold. Not safe for several threads at once.
 */
public final class NearCopies {

  private final NearTests tests;
  private final Filter filter;
  private final NearCopy[] copies;

  NearCopies(NearTests tests, Filter filter) {
    this.tests = tests;
    this.filter = filter;
    this.copies = new NearCopy[filter.shape().segments()];
  }

  /**
   * Whether the copy of a segment has all bits of an element; false where there is no copy.
   *
   * @param positions bit offsets within the segment, as many as there are hash functions
   */
  public boolean contains(int segment, long[] positions) {
    var copy = copies[segment];
    if (copy == null) {
      copy = new NearCopy(tests.copyOf(filter, segment));
      copies[segment] = copy;
    }
    return copy.contains(positions, filter.shape().numHashFunctions());
  }

  /** The segments that elements were looked for in and that have a copy. */
  public int[] segments() {
    var segments = new int[copies.length];
    var count = 0;
    for (var segment = 0; segment < copies.length; segment++) {
      if (copies[segment] != null && copies[segment].bitmap != null) {
        segments[count++] = segment;
      }
    }
    return Arrays.copyOf(segments, count);
  }

  /** Asks which version a segment has, and so which answers of its copy hold. */
  public Uni<Void> confirm(int segment) {
    var copy = copies[segment];
    return tests.version(filter, segment).invoke(now -> judge(copy, now)).replaceWithVoid();
  }

  private static void judge(NearCopy copy, BitmapVersion now) {
    copy.trust = NearTests.judge(copy.bitmap, copy.version, now, copy.tested);
  }

  /** Whether every answer holds. */
  public boolean decidesAll() {
    for (var copy : copies) {
      if (copy != null && copy.trust != NearTests.Trust.EXACT) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the answers hold that {@link #contains} gave: before the segment was confirmed where
   * the version was that of the copy, else once more afterwards.
   */
  public boolean decides(int segment) {
    return copies[segment].trust != NearTests.Trust.NONE;
  }

  /** A copy as a request found it. */
  private static final class NearCopy {
    private final NearBitmap bitmap;

    /** Read before any bit is: those of this version are all there then. */
    private final BitmapVersion version;

    private NearTests.Trust trust = NearTests.Trust.NONE;
    private int tested;

    private NearCopy(NearBitmap bitmap) {
      this.bitmap = bitmap;
      this.version = bitmap == null ? BitmapVersion.UNKNOWN : bitmap.version();
    }

    private boolean contains(long[] positions, int k) {
      tested++;
      return bitmap != null && bitmap.contains(positions, 0, k);
    }
  }
}
