package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/** One redis-server process, from its launch to its end. Thread-safe. */
final class ServerProcess {

  private static final Logger LOG = Logger.getLogger(ServerProcess.class);

  private static final Pattern VERSION = Pattern.compile("(?:Redis|Valkey) version=([^,\\s]+)");
  private static final Pattern READY = Pattern.compile("[Rr]eady to accept connections");
  private static final Pattern ADDRESS_REFUSED =
      Pattern.compile(
          "Could not create server TCP listening socket|Failed listening on port"
              + "|(?:Opening|Failed opening) Unix socket");

  private static final Pattern TORN_FILE =
      Pattern.compile("Unexpected end of file reading the append only file");

  /** What Redis puts before each line: process, role, time and, by one character, the level. */
  private static final Pattern PREFIX = Pattern.compile("^\\d+:\\w .{0,40}? ([-.*#]) ");

  /**
   * Runs a program in a process group of its own, and as the process that it was itself. A Ctrl-C
   * goes to the whole group of the service, which needs Redis to finish what it has begun. Where it
   * is missing, as on macOS, the server ends then and is started again.
   */
  private static final Path NEW_SESSION = Path.of("/usr/bin/setsid");

  private static final String WARNING = "#";
  private static final String ADVICE = "WARNING";

  private static final int LINES_KEPT = 3;
  private static final Duration EXIT_CODE_WAIT = Duration.ofSeconds(1);
  private static final Duration KILL_WAIT = Duration.ofSeconds(5);

  private static final List<String> SETTINGS =
      List.of(
          // Every write goes to the operating system before it is acknowledged, so it survives the
          // end of the process; a crash of the machine may cost the last second.
          "--appendonly",
          "yes",
          "--appendfsync",
          "everysec",
          // The append-only file is the one truth; snapshots beside it would only cost time.
          "--save",
          "",
          // A full memory must be an error, never the silent loss of a filter.
          "--maxmemory-policy",
          "noeviction",
          // The service has two connections. Any other client, with a password or without, that
          // does not read its answers takes no memory without end.
          "--maxclients",
          "64",
          "--client-output-buffer-limit",
          "normal",
          "256mb",
          "128mb",
          "60");

  private final Process process;
  private final ServerAddress address;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final Deque<String> lastLines = new ArrayDeque<>();
  private volatile String version = "";
  private volatile boolean addressRefused;
  private volatile boolean foundTornFile;
  private volatile boolean stopping;

  private ServerProcess(Process process, ServerAddress address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts the executable at an address with its append-only file in the folder, for clients with
   * the password; does not wait until it is ready.
   *
   * @param dropsTornEnd whether to drop what a crash left of the last write; else that is refused
   * @throws EmbeddedRedisException when the operating system cannot execute it
   */
  static ServerProcess launch(
      Path executable,
      Path folder,
      ServerAddress address,
      Password password,
      boolean dropsTornEnd) {
    try {
      var process =
          new ProcessBuilder(command(executable, address, dropsTornEnd))
              // Where Redis keeps its files, as long as no "dir" is given.
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      var server = new ServerProcess(process, address);
      var reader = new Thread(server::readOutput, "embedded-redis-output");
      reader.setDaemon(true);
      reader.start();
      server.configure(password);
      return server;
    } catch (IOException notExecutable) {
      throw EmbeddedRedisException.cannotExecute(executable, notExecutable.getMessage());
    }
  }

  private static List<String> command(
      Path executable, ServerAddress address, boolean dropsTornEnd) {
    var command = new ArrayList<String>();
    if (Files.isExecutable(NEW_SESSION)) {
      command.add(NEW_SESSION.toString());
    }
    // More settings come by its input.
    command.addAll(List.of(executable.toString(), "-"));
    command.addAll(address.arguments());
    command.addAll(SETTINGS);
    command.addAll(List.of("--aof-load-truncated", dropsTornEnd ? "yes" : "no"));
    return command;
  }

  /**
   * Sends what arguments would show to every account of the machine, and with it no file that Redis
   * could rewrite readable by all. The commands that are taken away are of no use to the service;
   * the first would run code as its user.
   */
  private void configure(Password password) {
    try (var input = process.outputWriter(UTF_8)) {
      input.write(
          """
          requirepass %s
          rename-command MODULE ""
          rename-command DEBUG ""
          rename-command SHUTDOWN ""
          """
              .formatted(password.text()));
    } catch (IOException ended) {
      LOG.debug("The embedded redis-server did not read its settings; its output says why", ended);
    }
  }

  /** Reads all output, as a server whose pipe is full would stop. */
  private void readOutput() {
    try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        take(line);
      }
    } catch (IOException closed) {
      LOG.debug("The output of the embedded redis-server was closed", closed);
    } finally {
      ready.completeExceptionally(new IOException("end of output"));
    }
  }

  private void take(String line) {
    var prefix = PREFIX.matcher(line);
    var prefixed = prefix.find();
    var text = prefixed ? line.substring(prefix.end()) : line.strip();
    keep(text);
    var found = VERSION.matcher(text);
    if (found.find()) {
      version = found.group(1);
    }
    addressRefused |= ADDRESS_REFUSED.matcher(text).find();
    foundTornFile |= TORN_FILE.matcher(text).find();
    // While it starts and stops, Redis reports ordinary progress as warnings.
    if (ready.isDone() && !stopping && prefixed && WARNING.equals(prefix.group(1))) {
      LOG.warnf("redis-server: %s", text);
    } else {
      LOG.debugf("redis-server: %s", text);
    }
    if (READY.matcher(text).find()) {
      ready.complete(null);
    }
  }

  private void keep(String text) {
    // At its start Redis gives advice about the machine; that is never why it ended.
    if (text.isBlank() || text.startsWith(ADVICE)) {
      return;
    }
    synchronized (lastLines) {
      if (lastLines.size() == LINES_KEPT) {
        lastLines.removeFirst();
      }
      lastLines.addLast(text);
    }
  }

  /**
   * Waits until the server has loaded its data and accepts connections. Its own word is taken for
   * it, as an answer on the port could come from somebody else.
   *
   * @throws EmbeddedRedisException when it ends before, or takes longer than the limit
   */
  void awaitReady(Path executable, Duration limit) throws InterruptedException {
    try {
      ready.get(limit.toMillis(), MILLISECONDS);
    } catch (TimeoutException tooSlow) {
      throw EmbeddedRedisException.notReadyInTime(limit, lastOutput());
    } catch (ExecutionException ended) {
      // The output ends a moment before the process does; its exit code is worth that moment.
      process.waitFor(EXIT_CODE_WAIT.toMillis(), MILLISECONDS);
      if (addressRefused) {
        throw EmbeddedRedisException.addressRefused(address, lastOutput());
      }
      // A server that got as far as its own code names its version first.
      throw version.isEmpty()
          ? EmbeddedRedisException.cannotExecute(executable, lastOutput())
          : EmbeddedRedisException.endedEarly(lastOutput());
    }
  }

  /** Whether the server said that its port is taken or forbidden, or that no socket can be made. */
  boolean addressRefused() {
    return addressRefused;
  }

  /** Whether the server said that its file ends amid a write. */
  boolean foundTornFile() {
    return foundTornFile;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  ServerAddress address() {
    return address;
  }

  String version() {
    return version;
  }

  /** The last lines of its output and its exit code if it has ended, as one line. */
  String lastOutput() {
    synchronized (lastLines) {
      var output = lastLines.isEmpty() ? "no output" : String.join(" | ", lastLines);
      return process.isAlive() ? output : output + "; exit code " + process.exitValue();
    }
  }

  void awaitExit() throws InterruptedException {
    process.waitFor();
  }

  /**
   * Asks the server to write what it holds and end, and waits for it. It is never killed here: that
   * could lose writes that were acknowledged while the disk was slow.
   *
   * @return whether it has ended
   */
  boolean stop(Duration limit) {
    stopping = true;
    process.destroy();
    return awaitExit(limit);
  }

  /** Ends a server that has acknowledged nothing. */
  void kill() {
    stopping = true;
    process.destroyForcibly();
    awaitExit(KILL_WAIT);
  }

  private boolean awaitExit(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }
}
