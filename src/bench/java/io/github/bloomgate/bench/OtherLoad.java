package io.github.bloomgate.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * CPU time that the rest of the machine uses during a measurement. It is only known on Linux. Other
 * load lowers figures, and not of all contenders equally.
 */
final class OtherLoad {

  /** Linux counts time in hundredths of a second. */
  private static final double TICK_SECONDS = 0.01;

  /** In a shorter time, ticks are too coarse. */
  private static final double LEAST_SECONDS = 0.1;

  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int COUNTED = 8;

  /**
   * The field with the user time of a process, followed by the system time and the same for its
   * ended children.
   */
  private static final int USER_TIME = 11;

  private final long start = System.nanoTime();
  private final double othersBefore = others();

  /**
   * The number of processors that other programs kept busy since this object was created; NaN if
   * unknown.
   */
  double cores() {
    var seconds = (System.nanoTime() - start) / 1e9;
    return seconds < LEAST_SECONDS
        ? Double.NaN
        : Math.max(0, (others() - othersBefore) * TICK_SECONDS / seconds);
  }

  private static double others() {
    try {
      var machine = fields(Path.of("/proc/stat"), "cpu ", COUNTED);
      var busy = Arrays.stream(machine).sum() - machine[IDLE] - machine[IO_WAIT];
      return busy - own();
    } catch (IOException notLinux) {
      return Double.NaN;
    }
  }

  private static double own() {
    var self = ProcessHandle.current();
    return time(self) + self.descendants().mapToDouble(OtherLoad::time).sum();
  }

  private static double time(ProcessHandle process) {
    try {
      var times =
          fields(Path.of("/proc", Long.toString(process.pid()), "stat"), ") ", USER_TIME + 4);
      return Arrays.stream(times, USER_TIME, USER_TIME + 4).sum();
    } catch (IOException ended) {
      return 0;
    }
  }

  /** The numbers of a line after a text. Other words count as 0. */
  private static double[] fields(Path file, String behind, int count) throws IOException {
    var text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    var words = text.substring(text.indexOf(behind) + behind.length()).strip().split("\\s+");
    return Arrays.stream(words, 0, count)
        .mapToDouble(word -> word.matches("-?\\d+") ? Double.parseDouble(word) : 0)
        .toArray();
  }
}
