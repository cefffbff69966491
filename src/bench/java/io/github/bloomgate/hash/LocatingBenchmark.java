package io.github.bloomgate.hash;

import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The cost of hashing an element and computing the positions of its bits. */
@State(Scope.Thread)
public class LocatingBenchmark {

  private static final int ELEMENTS = 1 << 12;

  private final HashScheme scheme = HashSchemes.nativeScheme();
  private final FilterShape shape = scheme.shapeFor(1_000_000, 0.01);
  private final long[] positions = new long[shape.numHashFunctions()];
  private final int[] starts = new int[ELEMENTS + 1];
  private byte[] packed;

  /** Elements of 16 to 19 bytes in one array. */
  @Setup
  public void pack() {
    var texts = new StringBuilder();
    for (var i = 0; i < ELEMENTS; i++) {
      texts.append("user-%d@mail.io".formatted(i * 31));
      starts[i + 1] = texts.length();
    }
    packed = texts.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Only MurmurHash3. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public long hash() {
    var sum = 0L;
    for (var i = 0; i < ELEMENTS; i++) {
      Murmur3.hash(packed, starts[i], starts[i + 1], positions);
      sum += positions[0];
    }
    return sum;
  }

  /** The hash and all bit positions of the native scheme. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public long locate() {
    var sum = 0L;
    for (var i = 0; i < ELEMENTS; i++) {
      scheme.hash(packed, starts[i], starts[i + 1], positions);
      sum += scheme.place(positions, 0, shape, positions);
      sum += positions[0];
    }
    return sum;
  }
}
