package io.github.bloomgate.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The changed bytes in the planes of a copy, for those who follow it: a plane is the bits of a
 * segment or of one ring of a window. Not thread-safe.
 */
public final class PlaneChanges {

  /** Beyond this part of the bytes, all of a plane counts as changed. */
  private static final int WHOLE_PART = 8;

  private static final int MOST = 1 << 16;

  private final int planes;
  private final int planeBytes;
  private final int most;

  /** Changed bytes, as plane times {@code planeBytes} plus index. */
  private int[] noted = {};

  private int count;
  private final BitSet whole = new BitSet();
  private final BitSet emptied = new BitSet();

  /** The planes that had elements when the changes were last taken. */
  private final BitSet used = new BitSet();

  /** A change of one plane. */
  public sealed interface Change {

    int plane();

    /** All bytes are 0 now. */
    record Emptied(int plane) implements Change {}

    /** Only these bytes may have changed, in ascending order. */
    record Patched(int plane, int[] bytes) implements Change {}

    /** Any byte may have changed. */
    record Replaced(int plane) implements Change {}
  }

  /**
   * The changes from now on.
   *
   * @param inUse the planes that have elements
   */
  PlaneChanges(int planes, int planeBytes, BitSet inUse) {
    this.planes = planes;
    this.planeBytes = planeBytes;
    this.most = Math.max(1, Math.min(MOST, planes * planeBytes / WHOLE_PART));
    used.or(inUse);
  }

  void note(int plane, int index) {
    if (whole.get(plane)) {
      return;
    }
    if (count == most) {
      for (var at : noted) {
        whole.set(at / planeBytes);
      }
      whole.set(plane);
      forget();
      return;
    }
    if (count == noted.length) {
      noted = Arrays.copyOf(noted, Math.min(most, Math.max(16, 2 * count)));
    }
    noted[count++] = plane * planeBytes + index;
  }

  void noteEmptied(int plane) {
    emptied.set(plane);
  }

  private void forget() {
    noted = new int[0];
    count = 0;
  }

  /**
   * Takes the changes since the last call, in ascending order of planes.
   *
   * @param inUse the planes that have elements now
   */
  List<Change> take(BitSet inUse) {
    var changes = new ArrayList<Change>();
    var bytes = Arrays.stream(noted, 0, count).distinct().sorted().toArray();
    var from = 0;
    for (var plane = 0; plane < planes; plane++) {
      var to = from;
      while (to < bytes.length && bytes[to] < (plane + 1) * planeBytes) {
        bytes[to++] -= plane * planeBytes;
      }
      take(inUse.get(plane), plane, Arrays.copyOfRange(bytes, from, to), changes);
      from = to;
    }
    forget();
    whole.clear();
    emptied.clear();
    return changes;
  }

  private void take(boolean isUsed, int plane, int[] bytes, List<Change> changes) {
    var wasUsed = used.get(plane);
    used.set(plane, isUsed);
    if (wasUsed && (!isUsed || emptied.get(plane))) {
      changes.add(new Change.Emptied(plane));
    }
    if (!isUsed) {
      return;
    }
    // Without having been emptied, it counts as used again after a clock was set back.
    if (whole.get(plane) || (!wasUsed && !emptied.get(plane) && planes > 1)) {
      changes.add(new Change.Replaced(plane));
    } else if (bytes.length > 0) {
      changes.add(new Change.Patched(plane, bytes));
    }
  }
}
