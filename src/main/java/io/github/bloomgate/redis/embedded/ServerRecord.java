package io.github.bloomgate.redis.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * The record of the redis-server that uses a data folder, so that a later run can find a server
 * that outlived its service.
 *
 * @param pid the process
 * @param port its port, for operators who want to inspect it; 0 for the socket in the folder
 * @param startedAt when the process started, if known; needed because pids are reused
 */
record ServerRecord(long pid, int port, Optional<Instant> startedAt) {

  static ServerRecord of(ProcessHandle server, int port) {
    return new ServerRecord(server.pid(), port, server.info().startInstant());
  }

  /** Parses the output of {@link #format}; empty if the text is something else. */
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
   * The recorded process if it is still running; never another process with a reused pid.
   *
   * <p>The start time identifies it. Because that changes when the system clock is set, a
   * redis-server that runs in this data folder, or the executable unpacked into it, counts as the
   * recorded one too. Missing it would run two servers on one file.
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
    // On Debian, redis-server is a link to redis-check-rdb.
    return name.startsWith("redis-") || name.startsWith("valkey-");
  }

  private static boolean runsIn(Path folder, ProcessHandle process) {
    try {
      return Path.of("/proc", Long.toString(process.pid()), "cwd").toRealPath().equals(folder);
    } catch (IOException unknown) {
      return false;
    }
  }
}
