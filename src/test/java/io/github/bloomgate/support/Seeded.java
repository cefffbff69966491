package io.github.bloomgate.support;

import java.util.Random;
import org.junit.jupiter.api.BeforeEach;

/** A test with random data. Prints its seed. */
public abstract class Seeded {

  protected final long seed = System.nanoTime();
  protected final Random random = new Random(seed);

  @BeforeEach
  protected final void printSeed() {
    System.out.println("seed " + seed);
  }
}
