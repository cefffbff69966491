package io.github.bloomgate.segment;

import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The cost of testing an element with a copy of its segment, half of whose bits are set. */
@State(Scope.Thread)
public class SegmentCopyBenchmark {

  private static final int ELEMENTS = 1 << 12;
  private static final int K = 7;
  private static final long SEED = 1;

  /** Bytes of the bitmap: one that fits into the fastest cache, and a whole segment. */
  @Param({"16384", "2097152"})
  public int bytes;

  private final int[] positions = new int[ELEMENTS * K];
  private SegmentCopy copy;

  /** Elements at random positions of a full segment. Every other one was added. */
  @Setup
  public void load() {
    var random = new Random(SEED);
    copy = SegmentCopy.empty(new SegmentFormat(bytes, K, new SegmentFormat.Fixed(0)));
    var other = new int[K];
    while (copy.content().bitsSet() < 4L * bytes) {
      for (var i = 0; i < K; i++) {
        other[i] = random.nextInt(8 * bytes);
      }
      copy.content().add(other, 0, 0);
    }
    for (var i = 0; i < positions.length; i++) {
      positions[i] = random.nextInt(8 * bytes);
    }
    for (var element = 0; element < ELEMENTS; element += 2) {
      copy.content().add(positions, element * K, 0);
    }
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
