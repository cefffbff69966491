package io.github.bloomgate.redis.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * What a data folder remembers of the redis-server that uses it, so that a later run can find a
 * server that outlived its service.
 *
 * @param pid the process
 * @param port the port it listens on, for a person who wants to look inside; 0 for the socket
 *     beside it
 * @param startedAt when the process started, if the platform tells; with the pid it names one
 *     process for good, as pids are used again
 */
record ServerRecord(long pid, int port, Optional<Instant> startedAt) {

  static ServerRecord of(ProcessHandle server, int port) {
    return new ServerRecord(server.pid(), port, server.info().startInstant());
  }

  /** Reads what {@link #format} wrote; empty when the text is something else. */
  static Optional<ServerRecord> parse(String text) throws IOException {
    var properties = new Properties();
    try {
      properties.load(new StringReader(text));
      return Optional.of(
          new ServerRecord(
              Long.parseLong(properties.getProperty("pid", "")),
              Integer.parseInt(properties.getProperty("port", "")),
              Optional.ofNullable(properties.getProperty("started")).map(Instant::parse)));
    } catch (RuntimeException notARecord) {
      return Optional.empty();
    }
  }

  String format() {
    return "pid=%d\nport=%d\n".formatted(pid, port)
        + startedAt.map("started=%s\n"::formatted).orElse("");
  }

  /**
   * The recorded process if it still runs; never a stranger that got the same pid later.
   *
   * <p>The start instant identifies it. As that instant is computed from the system clock, it
   * differs after the clock was set; then a redis-server that runs in this data folder, or the very
   * executable unpacked into it, is the recorded one too. Missing it would put two servers on one
   * file.
   */
  Optional<ProcessHandle> findRunning(Path folder) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> startedWhenRecorded(process) || runsFrom(folder, process));
  }

  private boolean startedWhenRecorded(ProcessHandle process) {
    return startedAt.isPresent() && startedAt.equals(process.info().startInstant());
  }

  private static boolean runsFrom(Path folder, ProcessHandle process) {
    return process
        .info()
        .command()
        .map(Path::of)
        .filter(
            command -> command.startsWith(folder) || (isServer(command) && runsIn(folder, process)))
        .isPresent();
  }

  private static boolean isServer(Path command) {
    var name = command.getFileName().toString();
    // Debian's redis-server is a link to redis-check-rdb.
    return name.startsWith("redis-") || name.startsWith("valkey-");
  }

  /** As far as the platform tells. */
  private static boolean runsIn(Path folder, ProcessHandle process) {
    try {
      return Path.of("/proc", Long.toString(process.pid()), "cwd").toRealPath().equals(folder);
    } catch (IOException unknown) {
      return false;
    }
  }
}
