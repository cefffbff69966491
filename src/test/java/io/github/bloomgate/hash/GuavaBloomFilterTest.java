package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares random filters with the output of Guava's writeTo. */
class GuavaBloomFilterTest {

  private final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void mitz64SetsTheBitsOfACreatedFilter() throws IOException {
    HashScheme scheme = HashSchemes.named("guava-mitz-64").orElseThrow();
    for (int round = 0; round < 200; round++) {
      int n = random.nextInt(1, 3000);
      double p = Math.pow(10, -random.nextDouble(0.5, 9));
      BloomFilter<byte[]> theirs = BloomFilter.create(Funnels.byteArrayFunnel(), n, p);
      compare(scheme, scheme.shapeFor(n, p), theirs, 1);
    }
  }

  /** No public method of Guava creates this strategy any more, but it reads such a filter. */
  @Test
  void mitz32SetsTheBitsOfAFilterThatWasRead() throws IOException {
    HashScheme scheme = HashSchemes.named("guava-mitz-32").orElseThrow();
    for (int round = 0; round < 200; round++) {
      FilterShape shape = scheme.shapeOf(random.nextLong(1, 50_000), random.nextInt(1, 30));
      int words = (int) (shape.bitSize() / 64);
      byte[] empty =
          ByteBuffer.allocate(6 + 8 * words)
              .put((byte) 0)
              .put((byte) shape.numHashFunctions())
              .putInt(words)
              .array();
      BloomFilter<byte[]> theirs =
          BloomFilter.readFrom(new ByteArrayInputStream(empty), Funnels.byteArrayFunnel());
      compare(scheme, shape, theirs, 0);
    }
  }

  private void compare(
      HashScheme scheme, FilterShape shape, BloomFilter<byte[]> theirs, int strategy)
      throws IOException {
    String row = "seed %d: %s".formatted(seed, shape);
    RedisBitmaps ours = new RedisBitmaps(scheme, shape);
    for (int i = random.nextInt(200); i >= 0; i--) {
      byte[] element = element();
      theirs.put(element);
      ours.add(element);
    }
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    theirs.writeTo(written);
    ByteBuffer expected = ByteBuffer.allocate(written.size());
    expected.put((byte) strategy).put((byte) shape.numHashFunctions());
    expected.putInt((int) (shape.bitSize() / 64));
    byte[] bitmap = ours.bitmap(0);
    for (int i = 0; i < bitmap.length; i += 8) {
      // Redis counts the bits of a byte from the top, Guava those of a word from the bottom.
      expected.putLong(Long.reverse(ByteBuffer.wrap(bitmap).getLong(i)));
    }
    assertArrayEquals(expected.array(), written.toByteArray(), row);
    for (int i = 0; i < 100; i++) {
      byte[] element = element();
      assertEquals(theirs.mightContain(element), ours.mightContain(element), row);
    }
  }

  private byte[] element() {
    byte[] element = new byte[random.nextInt(50)];
    random.nextBytes(element);
    return element;
  }
}
