package io.github.bloomgate.config;

/** How much memory large adds and tests may take. */
public final class BulkMemory {

  /** Other work needs the rest. */
  private static final int HEAP_SHARE = 4;

  private BulkMemory() {}

  /** The bytes that are set, but no more than this machine has for it; 0 for none. */
  public static long of(BloomgateConfig.Speed settings) {
    var available = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    return Math.min(settings.bulkMaxSize().asLongValue(), available);
  }
}
