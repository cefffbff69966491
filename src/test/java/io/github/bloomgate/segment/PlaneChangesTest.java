package io.github.bloomgate.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.segment.PlaneChanges.Change;
import io.github.bloomgate.segment.SegmentFormat.Counting;
import io.github.bloomgate.segment.SegmentFormat.Fixed;
import io.github.bloomgate.segment.SegmentFormat.Kind;
import io.github.bloomgate.segment.SegmentFormat.Windowed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Applying all changes of the planes gives the planes. */
class PlaneChangesTest {

  private static final long SEED = Long.getLong("test.seed", System.nanoTime());
  private static final int K = 4;
  private static final int STEPS = 5_000;
  private static final long WINDOW_MILLIS = 1_000;
  private static final int CAPACITY = 60;

  private final Random random = new Random(SEED);
  private final Set<Class<?>> seen = new HashSet<>();
  private long now = 1_000_000;

  @Test
  void ofElementsThatStay() {
    changes(new Fixed(0), 512);
    assertEquals(Set.of(Change.Patched.class, Change.Replaced.class), seen);
  }

  @Test
  void ofCounters() {
    changes(new Counting(0), 512);
    assertEquals(Set.of(Change.Emptied.class, Change.Patched.class, Change.Replaced.class), seen);
  }

  @Test
  void ofRingsByInsertions() {
    changes(new Windowed(WindowLayout.ofInsertions(2, CAPACITY, 1, true)), 3 * 512);
    assertEquals(Set.of(Change.Emptied.class, Change.Patched.class, Change.Replaced.class), seen);
  }

  @Test
  void ofRingsByTime() {
    var layout = WindowLayout.ofMillis(WINDOW_MILLIS, 2, CAPACITY, 1, true);
    changes(new Windowed(layout), layout.rings() * 64);
    assertEquals(Set.of(Change.Emptied.class, Change.Patched.class, Change.Replaced.class), seen);
  }

  private void changes(Kind kind, int bytes) {
    System.out.printf("changes of planes: -Dtest.seed=%d%n", SEED);
    try (var copy = SegmentCopy.empty(new SegmentFormat(bytes, K, kind))) {
      var content = copy.content();
      var planes = new byte[content.planes()][content.planeBytes()];
      var added = new ArrayList<int[]>();
      copy.follow();
      for (var step = 0; step < STEPS; step++) {
        change(kind, content, added);
        if (random.nextInt(3) == 0) {
          copy.changes().forEach(change -> apply(change, content, planes));
          for (var plane = 0; plane < planes.length; plane++) {
            assertArrayEquals(expected(content, plane), planes[plane], "seed " + SEED);
          }
        }
      }
    }
  }

  private void change(Kind kind, SegmentContent content, List<int[]> added) {
    // Times pass quickly or slowly, and once in a while a clock is set back.
    now += random.nextInt(100) == 0 ? WINDOW_MILLIS * random.nextInt(3) : random.nextInt(20);
    content.advanceTo(random.nextInt(50) == 0 ? now + 2 * WINDOW_MILLIS : now);
    var isRemoval = kind instanceof Counting && random.nextInt(5) > 1;
    for (var i = random.nextInt(20) == 0 ? 40 : 1; i > 0; i--) {
      if (!isRemoval) {
        var element = random.ints(K, 0, content.positions()).toArray();
        content.add(element, 0, now);
        added.add(element);
      } else if (!added.isEmpty()) {
        content.remove(added.remove(random.nextInt(added.size())), 0);
      }
    }
  }

  private void apply(Change change, SegmentContent content, byte[][] planes) {
    seen.add(change.getClass());
    var plane = planes[change.plane()];
    if (change instanceof Change.Emptied) {
      Arrays.fill(plane, (byte) 0);
    } else if (change instanceof Change.Patched patched) {
      for (var index : patched.bytes()) {
        content.copyPlane(change.plane(), index, plane, index, 1);
      }
    } else {
      content.copyPlane(change.plane(), 0, plane, 0, plane.length);
    }
  }

  private static byte[] expected(SegmentContent content, int plane) {
    var bytes = new byte[content.planeBytes()];
    if (!content.isPlaneEmpty(plane)) {
      content.copyPlane(plane, 0, bytes, 0, bytes.length);
    }
    return bytes;
  }
}
