package io.github.bloomgate.near;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filter.BitmapVersion;
import io.github.bloomgate.support.Beside;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A copy of a bitmap that follows adds told in any order. */
class NearBitmapTest {

  private static final int BITS = 200;
  private static final int MANY_BITS = 10_000;

  private record Add(long[] positions, BitmapVersion before, BitmapVersion after) {}

  private final NearBitmap copy = new NearBitmap(BITS, new Misses());

  /** Whatever the order: a version is claimed only if its bits are there, and no others. */
  @RepeatedTest(50)
  void aVersionIsClaimedOnlyWithItsBits() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var truth = new BitSet(BITS);
    var versions = new HashMap<BitmapVersion, BitSet>();
    var now = version(0);
    versions.put(now, new BitSet(BITS));
    var untold = new ArrayList<Add>();
    for (var step = 1; step <= 300; step++) {
      switch (random.nextInt(3)) {
        case 0 -> {
          var positions = random.longs(4, 0, BITS).toArray();
          for (var position : positions) {
            truth.set((int) position);
          }
          untold.add(new Add(positions, now, version(step)));
          now = version(step);
          versions.put(now, (BitSet) truth.clone());
        }
        case 1 -> {
          Collections.shuffle(untold, random);
          if (!untold.isEmpty()) {
            tell(untold.remove(0));
          }
        }
        default -> {
          if (step > 30 && !copy.version().isKnown()) {
            copy.load(bytes(truth), now);
          }
        }
      }
      if (copy.version().isKnown()) {
        var expected = versions.get(copy.version());
        for (var bit = 0; bit < BITS; bit++) {
          assertEquals(
              expected.get(bit), contains(bit), "seed " + seed + ", step " + step + ", bit " + bit);
        }
      }
    }
    untold.forEach(this::tell);
    if (copy.version().isKnown()) {
      assertEquals(now, copy.version(), "seed " + seed);
    }
  }

  private void tell(Add add) {
    copy.added(LongStream.of(add.positions), add.before, add.after);
  }

  /** Another history may have as many bits set, and the same version once. */
  @Test
  void onlyOneHistoryIsFollowed() {
    copy.load(new byte[BITS / 8], version(1));
    copy.added(LongStream.of(3), version(7), version(8));
    copy.added(LongStream.of(4), BitmapVersion.UNKNOWN, version(1));
    copy.merged(new byte[] {(byte) 0xff}, version(7), version(8));
    assertEquals(version(1), copy.version());
    assertFalse(contains(3) || contains(4) || contains(0));
    copy.added(LongStream.of(5), version(1), version(2));
    copy.merged(new byte[] {1}, version(2), version(3));
    assertEquals(version(3), copy.version());
    assertTrue(contains(5) && contains(7));
  }

  @Test
  void oneThatWasOutrunIsOfNoUseUntilItFollows() {
    assertFalse(copy.isOfUse() || copy.isOutrun());
    copy.load(new byte[BITS / 8], version(1));
    assertTrue(copy.isOfUse());
    copy.outrun(version(0));
    assertTrue(copy.isOfUse());
    copy.outrun(version(1));
    assertFalse(copy.isOfUse());
    assertTrue(copy.isOutrun());
    copy.added(LongStream.of(5), version(1), version(2));
    assertTrue(copy.isOfUse());
  }

  @Test
  void whatHasNoVersionIsOfNoUse() {
    copy.load(new byte[BITS / 8], BitmapVersion.UNKNOWN);
    assertTrue(copy.isOutrun());
    assertFalse(copy.isOfUse());
  }

  /** They are not kept for ever. */
  @Test
  void aLostAddMakesTheCopyUselessAndNotEndless() {
    copy.load(new byte[BITS / 8], version(0));
    for (var lost = 1; lost < 100_000; lost++) {
      copy.added(LongStream.of(1, 2, 3), version(lost), version(lost + 1));
    }
    copy.added(LongStream.of(9), version(0), version(99_999));
    assertTrue(copy.version().equals(version(100_000)), copy.version().text());
  }

  /** Who asks the version first and the bits then, finds all bits of it: on any thread. */
  @Test
  void whoSeesAVersionSeesItsBits() throws Exception {
    for (var round = 0; round < 200; round++) {
      var followed = new NearBitmap(MANY_BITS, new Misses());
      followed.load(new byte[0], version(0));
      var adds =
          Beside.run(
              () -> {
                for (var bit = 0; bit < MANY_BITS; bit++) {
                  followed.added(LongStream.of(bit), version(bit), version(bit + 1));
                }
              });
      var seen = 0;
      while (seen < MANY_BITS) {
        seen = Integer.parseInt(followed.version().text());
        assertTrue(seen == 0 || followed.contains(new long[] {seen - 1}, 0, 1));
      }
      adds.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void addsThatCameWhileItWasReadAreNotLost() {
    copy.added(LongStream.of(5, 6), version(10), version(12));
    assertFalse(copy.version().isKnown());
    var read = new BitSet();
    read.set(0, 5);
    copy.load(bytes(read), version(10));
    assertEquals(version(12), copy.version());
    assertTrue(copy.contains(new long[] {0, 5, 6}, 0, 3));
    assertFalse(copy.contains(new long[] {0, 5, 63}, 0, 3));
  }

  @Test
  void anElementIsHeldOnlyWithAllItsBits() {
    var bits = new BitSet();
    List.of(0, 63, 64, 199).forEach(bits::set);
    copy.load(bytes(bits), version(4));
    assertTrue(copy.contains(new long[] {9, 0, 63, 64, 199}, 1, 4));
    assertFalse(copy.contains(new long[] {0, 63, 64, 198}, 0, 4));
    assertFalse(copy.contains(new long[] {9, 0, 63}, 0, 3));
  }

  private static BitmapVersion version(int number) {
    return new BitmapVersion(Integer.toString(number));
  }

  private boolean contains(int bit) {
    return copy.contains(new long[] {bit}, 0, 1);
  }

  /** Bit 0 is the highest bit of byte 0. */
  private static byte[] bytes(BitSet bits) {
    var bytes = new byte[BITS / 8];
    bits.stream().forEach(bit -> bytes[bit / 8] |= (byte) (0x80 >> bit % 8));
    return bytes;
  }
}
