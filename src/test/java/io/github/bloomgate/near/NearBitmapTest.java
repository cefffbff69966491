package io.github.bloomgate.near;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Beside;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
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

  private record Add(long[] positions, long before, long after) {}

  /** Whatever the order: a version is claimed only if every bit of it is there. */
  @RepeatedTest(50)
  void aVersionIsClaimedOnlyWithAllItsBits() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var copy = new NearBitmap(1, BITS);
    var truth = new BitSet(BITS);
    var versions = new ArrayList<BitSet>();
    versions.add((BitSet) truth.clone());
    var untold = new ArrayList<Add>();
    var reads = new ArrayList<byte[]>();
    var readVersions = new ArrayList<Long>();
    for (var step = 0; step < 300; step++) {
      switch (random.nextInt(4)) {
        case 0 -> {
          var before = truth.cardinality();
          var positions = random.longs(4, 0, BITS).toArray();
          for (var position : positions) {
            truth.set((int) position);
          }
          untold.add(new Add(positions, before, truth.cardinality()));
          while (versions.size() <= truth.cardinality()) {
            versions.add(null);
          }
          versions.set(truth.cardinality(), (BitSet) truth.clone());
        }
        case 1 -> {
          Collections.shuffle(untold, random);
          if (!untold.isEmpty()) {
            var add = untold.remove(0);
            copy.added(LongStream.of(add.positions), add.before, add.after);
          }
        }
        case 2 -> {
          reads.add(bytes(truth));
          readVersions.add((long) truth.cardinality());
        }
        default -> {
          if (!reads.isEmpty()) {
            var which = random.nextInt(reads.size());
            copy.load(reads.remove(which), readVersions.remove(which));
          }
        }
      }
      var version = (int) copy.version();
      if (version >= 0) {
        var expected = versions.get(version);
        for (var bit = expected.nextSetBit(0); bit >= 0; bit = expected.nextSetBit(bit + 1)) {
          assertTrue(contains(copy, bit), "seed " + seed + ", step " + step + ", bit " + bit);
        }
      }
      for (var bit = 0; bit < BITS; bit++) {
        if (!truth.get(bit)) {
          assertFalse(contains(copy, bit), "seed " + seed + ", step " + step + ", bit " + bit);
        }
      }
    }
    for (var add : untold) {
      copy.added(LongStream.of(add.positions), add.before, add.after);
    }
    if (copy.version() >= 0) {
      assertEquals(truth.cardinality(), copy.version(), "seed " + seed);
    }
  }

  /** Who asks the version first and the bits then, finds all bits of it: on any thread. */
  @Test
  void whoSeesAVersionSeesItsBits() throws Exception {
    for (var round = 0; round < 200; round++) {
      var copy = new NearBitmap(1, MANY_BITS);
      copy.load(new byte[0], 0);
      var adds =
          Beside.run(
              () -> {
                for (var bit = 0L; bit < MANY_BITS; bit++) {
                  copy.added(LongStream.of(bit), bit, bit + 1);
                }
              });
      var version = 0L;
      while (version < MANY_BITS) {
        version = copy.version();
        assertTrue(version == 0 || copy.contains(new long[] {version - 1}, 0, 1));
      }
      adds.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void addsThatCameWhileItWasReadAreNotLost() {
    var copy = new NearBitmap(1, BITS);
    copy.added(LongStream.of(5, 6), 10, 12);
    assertEquals(NearBitmap.UNLOADED, copy.version());
    var read = new BitSet();
    read.set(0, 10);
    read.clear(5, 7);
    read.set(11, 13);
    copy.load(bytes(read), 10);
    assertEquals(12, copy.version());
    assertTrue(copy.contains(new long[] {0, 5, 6}, 0, 3));
    assertFalse(copy.contains(new long[] {0, 5, 63}, 0, 3));
  }

  @Test
  void anElementIsHeldOnlyWithAllItsBits() {
    var copy = new NearBitmap(1, BITS);
    var bits = new BitSet();
    List.of(0, 63, 64, 199).forEach(bits::set);
    copy.load(bytes(bits), 4);
    assertTrue(copy.contains(new long[] {9, 0, 63, 64, 199}, 1, 4));
    assertFalse(copy.contains(new long[] {0, 63, 64, 198}, 0, 4));
    assertFalse(copy.contains(new long[] {9, 0, 63}, 0, 3));
  }

  private static boolean contains(NearBitmap copy, int bit) {
    return copy.contains(new long[] {bit}, 0, 1);
  }

  /** Bit 0 is the highest bit of byte 0. */
  private static byte[] bytes(BitSet bits) {
    var bytes = new byte[BITS / 8];
    bits.stream().forEach(bit -> bytes[bit / 8] |= (byte) (0x80 >> bit % 8));
    return bytes;
  }
}
