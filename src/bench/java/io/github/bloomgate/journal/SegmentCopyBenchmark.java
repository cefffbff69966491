package io.github.bloomgate.journal;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.SegmentCounts;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What it costs to test an element with a copy of its segment, of which half of the bits are 1. */
@State(Scope.Thread)
public class SegmentCopyBenchmark {

  private static final int ELEMENTS = 1 << 12;
  private static final int K = 7;
  private static final long SEED = 1;

  /** Bytes of the bitmap: in the cache nearest to the processor, and a whole segment. */
  @Param({"16384", "2097152"})
  public int bytes;

  private final int[] positions = new int[ELEMENTS * K];
  private SegmentCopy copy;

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
    var counts = new SegmentCounts(BitCount.of(bits, 0, bytes), 0);
    copy = new SegmentCopy(new FilterShape(1, 8L * bytes, K), 0, bits, 0, 0, "", counts);
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public int contains() {
    var count = 0;
    for (var i = 0; i < ELEMENTS; i++) {
      count += copy.content().contains(positions, i * K) ? 1 : 0;
    }
    return count;
  }
}
