package io.github.bloomgate.near;

import io.github.bloomgate.filter.BitmapVersion;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to test an element against a copy of a bitmap, of which half of the bits are 1. */
@State(Scope.Thread)
public class NearBitmapBenchmark {

  private static final int ELEMENTS = 1 << 12;
  private static final int K = 7;
  private static final long SEED = 1;

  /** Bytes of the bitmap: in the cache nearest to the processor, and a whole segment. */
  @Param({"16384", "2097152"})
  public int bytes;

  private final long[] positions = new long[ELEMENTS * K];
  private NearBitmap copy;

  /** Elements of random positions, of which every other has all its bits. */
  @Setup
  public void load() {
    var random = new Random(SEED);
    var bits = new byte[bytes];
    random.nextBytes(bits);
    for (var i = 0; i < positions.length; i++) {
      var position = random.nextInt(8 * bytes);
      positions[i] = position;
      if (i / K % 2 == 0) {
        bits[position >>> 3] |= (byte) (0x80 >>> (position & 7));
      }
    }
    copy = new NearBitmap(8L * bytes, new Misses());
    copy.load(bits, new BitmapVersion("1"));
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int contains() {
    var count = 0;
    for (var i = 0; i < ELEMENTS; i++) {
      count += copy.contains(positions, i * K, K) ? 1 : 0;
    }
    return count;
  }
}
