package io.github.bloomgate.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/** The JVM's memory outside the heap, which copies of segments share with network buffers. */
public final class DirectMemory {

  private static final long STANDARD = 128L << 20;

  /** What network buffers and work on whole segments may need. */
  private static final long OTHERS = 64L << 20;

  private DirectMemory() {}

  /**
   * The limit of the memory for copies, in bytes.
   *
   * @param setting the value of {@code bloomgate.memory.copies}
   * @throws ConfigurationException if it leaves too little for everything else
   */
  public static long forCopies(Optional<MemorySize> setting) {
    return forCopies(setting, all());
  }

  static long forCopies(Optional<MemorySize> setting, long all) {
    var most = all - others(all);
    if (setting.isEmpty()) {
      return Math.min(STANDARD, most);
    }
    var copies = setting.get().asLongValue();
    if (copies > most) {
      throw new ConfigurationException(
          "bloomgate.memory.copies is %d bytes, but only %d of the JVM's %d bytes of memory outside the heap can be used for copies. Lower it, or start Java with -XX:MaxDirectMemorySize=%d or more."
              .formatted(copies, most, all, copies + OTHERS));
    }
    return copies;
  }

  /** The limit of the memory for work on whole segments, in bytes. */
  static long forBitmaps() {
    return others(all()) / 2;
  }

  private static long others(long all) {
    return Math.min(OTHERS, all / 2);
  }

  /** The limit of all memory outside the heap, in bytes: without the option, the heap's. */
  public static long all() {
    var option =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxDirectMemorySize");
    var set = Long.parseLong(option.getValue());
    return set > 0 ? set : Runtime.getRuntime().maxMemory();
  }
}
