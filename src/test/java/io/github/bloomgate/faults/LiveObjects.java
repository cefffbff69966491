package io.github.bloomgate.faults;

import io.github.bloomgate.support.Interpreter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The live objects of a service after a full garbage collection. */
final class LiveObjects {

  /** Classes that indicate a pending request or a connection. */
  private static final List<String> TRACES =
      List.of(
          "io.github.bloomgate.redis.Call",
          "io.github.bloomgate.redis.Session",
          "io.github.bloomgate.elements.ElementRequest");

  private final Map<String, Long> counts = new TreeMap<>();
  private final long bytes;

  private LiveObjects(String histogram) {
    TRACES.forEach(trace -> counts.put(known(trace), 0L));
    var total = 0L;
    for (var line : histogram.lines().map(String::strip).toList()) {
      var columns = line.split("\\s+");
      if (line.startsWith("Total")) {
        total = Long.parseLong(columns[2]);
      } else if (columns.length > 3 && counts.containsKey(columns[3])) {
        counts.put(columns[3], Long.parseLong(columns[1]));
      }
    }
    bytes = total;
  }

  /** Checks the name of a class, because a renamed class would never be found. */
  private static String known(String trace) {
    try {
      return Class.forName(trace, false, LiveObjects.class.getClassLoader()).getName();
    } catch (ClassNotFoundException renamed) {
      throw new IllegalStateException(renamed);
    }
  }

  static LiveObjects of(PackagedService service) throws Exception {
    return new LiveObjects(
        Interpreter.run(
            Path.of("."),
            Interpreter.jdk("jcmd"),
            String.valueOf(service.pid()),
            "GC.class_histogram"));
  }

  /** The number of requests, connections and queues. */
  long traces() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  long bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return bytes / 1024 + " KiB, " + counts;
  }
}
