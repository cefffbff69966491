package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Two attacks with knowledge of the source code and the shape of a filter: elements that each set
 * the most bits, and elements that make others false positives. Both work against {@code
 * bloomgate-1} and fail against the keyed scheme. {@code -Dbloomgate.seed} repeats a run.
 */
class PollutionTest {

  private static final int N = 1000;
  private static final double P = 0.01;
  private static final int PROBES = 200_000;

  private final long seed = Long.getLong("bloomgate.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final HashScheme plain = HashSchemes.nativeScheme();
  private final FilterShape shape = plain.shapeFor(N, P);

  @Test
  void chosenElementsRaiseTheRateOfThePlainSchemeOnly() {
    List<byte[]> chosen = elementsThatShareNoBit();
    double ofPlain = rate(filled(plain, chosen));
    double ofKeyed = rate(filled(keyed(), chosen));

    // Without a bit in common: fill 0.73 in the place of 0.52.
    assertTrue(ofPlain > 7 * P, "seed %d: plain %f".formatted(seed, ofPlain));
    assertTrue(ofKeyed < 1.3 * P, "seed %d: keyed %f".formatted(seed, ofKeyed));
  }

  @Test
  void elementsThatHideAVictimWorkAgainstThePlainSchemeOnly() {
    byte[] victim = element();
    List<byte[]> chosen = elementsThatCover(victim);

    assertTrue(filled(plain, chosen).mightContain(victim), "seed " + seed);
    assertFalse(filled(keyed(), chosen).mightContain(victim), "seed " + seed);
  }

  /** Elements up to the capacity, without common bits as long as possible. */
  private List<byte[]> elementsThatShareNoBit() {
    BitSet taken = new BitSet();
    List<byte[]> chosen = new ArrayList<>();
    long[] positions = new long[shape.numHashFunctions()];
    while (chosen.size() < N) {
      byte[] candidate = element();
      plain.locate(candidate, shape, positions);
      int fresh = 0;
      for (long position : positions) {
        fresh += taken.get((int) position) ? 0 : 1;
      }
      if (fresh == positions.length) {
        for (long position : positions) {
          taken.set((int) position);
        }
        chosen.add(candidate);
      }
    }
    return chosen;
  }

  /** One element for each bit of another, which is not among them. */
  private List<byte[]> elementsThatCover(byte[] victim) {
    BitSet missing = new BitSet();
    long[] positions = new long[shape.numHashFunctions()];
    plain.locate(victim, shape, positions);
    for (long position : positions) {
      missing.set((int) position);
    }
    List<byte[]> chosen = new ArrayList<>();
    while (!missing.isEmpty()) {
      byte[] candidate = element();
      plain.locate(candidate, shape, positions);
      boolean helps = false;
      for (long position : positions) {
        helps |= missing.get((int) position);
        missing.clear((int) position);
      }
      if (helps) {
        chosen.add(candidate);
      }
    }
    return chosen;
  }

  private RedisBitmaps filled(HashScheme scheme, List<byte[]> elements) {
    RedisBitmaps filter = new RedisBitmaps(scheme, shape);
    elements.forEach(filter::add);
    return filter;
  }

  private double rate(RedisBitmaps filter) {
    int falsePositives = 0;
    for (int i = 0; i < PROBES; i++) {
      falsePositives += filter.mightContain(element()) ? 1 : 0;
    }
    return (double) falsePositives / PROBES;
  }

  private HashScheme keyed() {
    byte[] key = new byte[32];
    random.nextBytes(key);
    return KeyedSchemeTest.keyed(key);
  }

  private byte[] element() {
    return ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(random.nextLong()).array();
  }
}
