package io.github.bloomgate.config;

import io.quarkus.runtime.configuration.MemorySize;

/** How much memory something that only makes the service faster may take. */
public final class HeapShare {

  /** Other work needs the rest. */
  private static final int PART = 4;

  private HeapShare() {}

  /** The bytes that are set, but no more than a quarter of the heap this machine gives. */
  public static long of(MemorySize set) {
    return Math.min(set.asLongValue(), Runtime.getRuntime().maxMemory() / PART);
  }
}
