package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Properties of {@code bloomgate-1} with random elements and shapes. The seed is part of every
 * failure message; {@code -Dbloomgate.seed} repeats it.
 */
class Bloomgate1Test {

  private static final long UNTOUCHED = -42;

  private final HashScheme scheme = HashSchemes.nativeScheme();
  private final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void locatesExactlyKPositionsInRange() {
    for (int round = 0; round < 20_000; round++) {
      FilterShape shape = randomShape();
      long[] positions = new long[shape.numHashFunctions() + 3];
      Arrays.fill(positions, UNTOUCHED);
      int segment = scheme.locate(randomElement(), shape, positions);

      String row = "seed %d, round %d, %s".formatted(seed, round, shape);
      assertTrue(segment >= 0 && segment < shape.segments(), row);
      for (int i = 0; i < shape.numHashFunctions(); i++) {
        assertTrue(positions[i] >= 0 && positions[i] < shape.segmentBits(), row);
      }
      // Two values are scratch, so only what lies behind both is never touched.
      for (int i = Math.max(2, shape.numHashFunctions()); i < positions.length; i++) {
        assertEquals(UNTOUCHED, positions[i], row);
      }
    }
  }

  @Test
  void doesNotDependOnEarlierCallsOrTheArray() {
    for (int round = 0; round < 2_000; round++) {
      FilterShape shape = randomShape();
      byte[] element = randomElement();
      byte[] copy = element.clone();
      long[] first = new long[Math.max(2, shape.numHashFunctions())];
      long[] second = random.longs(first.length + 5).toArray();

      int segment = scheme.locate(element, shape, first);
      scheme.locate(randomElement(), randomShape(), new long[64]);
      int segmentAgain = scheme.locate(copy, shape, second);

      String row = "seed %d, round %d, %s".formatted(seed, round, shape);
      assertEquals(segment, segmentAgain, row);
      assertArrayEquals(
          Arrays.copyOf(first, shape.numHashFunctions()),
          Arrays.copyOf(second, shape.numHashFunctions()),
          row);
      assertArrayEquals(copy, element, row);
    }
  }

  @Test
  void twoValuesAreRoomEnoughForOnePosition() {
    FilterShape shape = new FilterShape(1, 64, 1);
    long[] positions = new long[2];
    scheme.locate(new byte[] {1}, shape, positions);
    assertTrue(positions[0] >= 0 && positions[0] < 64);
  }

  @Test
  void fewerPositionsAreAPrefixOfMore() {
    byte[] element = randomElement();
    long[] few = new long[3];
    long[] many = new long[64];
    scheme.locate(element, new FilterShape(1, 1 << 20, 3), few);
    scheme.locate(element, new FilterShape(1, 1 << 20, 64), many);
    assertArrayEquals(few, Arrays.copyOf(many, 3), "seed " + seed);
  }

  @Test
  void positionsWithinASegmentDoNotDependOnTheNumberOfSegments() {
    byte[] element = randomElement();
    long[] one = new long[7];
    long[] many = new long[7];
    scheme.locate(element, new FilterShape(1, 1 << 20, 7), one);
    scheme.locate(element, new FilterShape(573, 1 << 20, 7), many);
    assertArrayEquals(one, many, "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 6, 16, 573})
  void elementsSpreadEvenlyOverSegments(int segments) {
    FilterShape shape = new FilterShape(segments, Sizing.MAX_SEGMENT_BITS, 1);
    int elements = 1000 * segments;
    long[] counts = new long[segments];
    long[] positions = new long[2];
    long start = random.nextLong();
    for (int i = 0; i < elements; i++) {
      counts[scheme.locate(bytesOf(start + i), shape, positions)]++;
    }
    assertEven(counts, 1000, "segments");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 20})
  void positionsSpreadEvenlyOverBits(int k) {
    FilterShape shape = new FilterShape(1, 960, k);
    long[] counts = new long[960];
    long[] positions = new long[Math.max(2, k)];
    long start = random.nextLong();
    int elements = 960 * 1000 / k;
    for (int i = 0; i < elements; i++) {
      scheme.locate(bytesOf(start + i), shape, positions);
      for (int j = 0; j < k; j++) {
        counts[(int) positions[j]]++;
      }
    }
    assertEven(counts, (double) elements * k / 960, "bits for k = " + k);
  }

  @Test
  void positionsSpreadEvenlyWithinEverySegment() {
    // Segment and bits come from words of one progression; they must not know of each other.
    FilterShape shape = new FilterShape(4, 64, 3);
    long[] counts = new long[4 * 64];
    long[] positions = new long[3];
    long start = random.nextLong();
    int elements = 100_000;
    for (int i = 0; i < elements; i++) {
      int segment = scheme.locate(bytesOf(start + i), shape, positions);
      for (long position : positions) {
        counts[segment * 64 + (int) position]++;
      }
    }
    assertEven(counts, 3.0 * elements / counts.length, "bits of segments");
  }

  @Test
  void everyBitOfAnElementMatters() {
    FilterShape shape = new FilterShape(1, 1L << 62, 2);
    byte[] element = new byte[40];
    for (int i = 0; i < element.length; i++) {
      element[i] = (byte) random.nextInt();
    }
    long[] before = new long[2];
    scheme.locate(element, shape, before);
    for (int bit = 0; bit < element.length * 8; bit++) {
      byte[] changed = element.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      long[] after = new long[2];
      scheme.locate(changed, shape, after);
      assertNotEquals(before[0], after[0], "seed " + seed + ", bit " + bit);
      assertNotEquals(before[1], after[1], "seed " + seed + ", bit " + bit);
    }
  }

  @Test
  void bitOrderMatchesRedis() {
    // SETBIT key 0 1 makes the first byte 0x80, SETBIT key 7 1 makes it 0x01.
    RedisBitmaps bitmap = new RedisBitmaps(scheme, new FilterShape(1, 8, 1));
    String[] byBit = {"80", "40", "20", "10", "08", "04", "02", "01"};
    boolean[] seen = new boolean[8];
    long[] positions = new long[2];
    for (char letter = 'a'; letter <= 'z'; letter++) {
      byte[] element = String.valueOf(letter).getBytes(StandardCharsets.US_ASCII);
      scheme.locate(element, new FilterShape(1, 8, 1), positions);
      bitmap.clear();
      bitmap.add(element);
      assertEquals(byBit[(int) positions[0]], bitmap.toHex().get(0));
      seen[(int) positions[0]] = true;
    }
    assertArrayEquals(new boolean[] {true, true, true, true, true, true, true, true}, seen);
  }

  @Test
  void shapesAreWholeWordsOfAtMostTheLargestSegment() {
    for (int round = 0; round < 20_000; round++) {
      long bitSize = 1 + (random.nextLong() >>> (10 + random.nextInt(53)));
      FilterShape shape = scheme.shapeOf(bitSize, 1 + random.nextInt(64));

      String row = "seed %d, round %d, %d bits: %s".formatted(seed, round, bitSize, shape);
      assertEquals(0, shape.segmentBits() % 64, row);
      assertTrue(shape.segmentBits() <= Sizing.MAX_SEGMENT_BITS, row);
      assertTrue(shape.bitSize() >= bitSize, row);
      assertTrue(shape.bitSize() - bitSize < 65L * shape.segments(), row);
      assertTrue((shape.segments() - 1) * Sizing.MAX_SEGMENT_BITS < bitSize, row);
      assertEquals(shape, scheme.shapeOf(shape.bitSize(), shape.numHashFunctions()), row);
    }
  }

  @Test
  void shapesThatNeedTooManySegmentsAreRefused() {
    long most = Integer.MAX_VALUE * Sizing.MAX_SEGMENT_BITS;
    assertEquals(
        new FilterShape(Integer.MAX_VALUE, Sizing.MAX_SEGMENT_BITS, 1), scheme.shapeOf(most, 1));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeOf(most + 1, 1));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeOf(Long.MAX_VALUE, 1));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeFor(1L << 53, 1e-6));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeFor(Long.MAX_VALUE, 0.5));
  }

  @Test
  void shapesOfNothingAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeOf(0, 1));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeOf(-64, 1));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeOf(64, 0));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeFor(0, 0.01));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeFor(10, 0));
    assertThrows(IllegalArgumentException.class, () -> scheme.shapeFor(10, Double.NaN));
  }

  /**
   * Chi-square of counts that should be about equal: its mean is {@code cells - 1}, its variance
   * twice that. The limit lies more than six standard deviations above, so an even spread exceeds
   * it less than once in 100,000 runs for two cells, where the tail is longest, and much more
   * rarely for many.
   */
  private void assertEven(long[] counts, double expected, String what) {
    double chiSquare = 0;
    for (long count : counts) {
      chiSquare += (count - expected) * (count - expected) / expected;
    }
    int freedom = counts.length - 1;
    double limit = freedom + 6 * Math.sqrt(2.0 * freedom) + 12;
    assertTrue(
        chiSquare < limit,
        "seed %d, %s: chi-square %.1f, limit %.1f".formatted(seed, what, chiSquare, limit));
  }

  private FilterShape randomShape() {
    int segments = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(Integer.MAX_VALUE);
    long segmentBits = 1 + (random.nextLong() >>> (1 + random.nextInt(63)));
    return new FilterShape(segments, Math.max(1, segmentBits), 1 + random.nextInt(64));
  }

  private byte[] randomElement() {
    byte[] element = new byte[random.nextInt(70)];
    for (int i = 0; i < element.length; i++) {
      element[i] = (byte) random.nextInt();
    }
    return element;
  }

  private static byte[] bytesOf(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }
}
