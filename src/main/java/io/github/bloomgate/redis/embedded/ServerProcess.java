package io.github.bloomgate.redis.embedded;

import static io.github.bloomgate.threads.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.smallrye.mutiny.TimeoutException;
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
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/** One redis-server process. Thread-safe. */
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

  /** The prefix of each log line: process, role, time and one character for the level. */
  private static final Pattern PREFIX = Pattern.compile("^\\d+:\\w .{0,40}? ([-.*#]) ");

  /**
   * Runs a program in a separate process group, without an additional process. Ctrl-C goes to the
   * whole group of the service, which needs Redis to finish its work. Without setsid, as on macOS,
   * the server ends then and is restarted.
   */
  private static final Path NEW_SESSION = Path.of("/usr/bin/setsid");

  private static final String WARNING = "#";
  private static final String ADVICE = "WARNING";

  private static final int LINES_KEPT = 3;
  private static final Duration EXIT_CODE_WAIT = Duration.ofSeconds(1);
  private static final Duration KILL_WAIT = Duration.ofSeconds(5);

  private static final List<String> SETTINGS =
      List.of(
          // Every write reaches the operating system before it is acknowledged, so it survives the
          // end of the process. A crash of the machine may lose the last second.
          "--appendonly",
          "yes",
          "--appendfsync",
          "everysec",
          // With the append-only file, snapshots would only take time.
          "--save",
          "",
          // Full memory must cause an error, never the silent loss of a filter.
          "--maxmemory-policy",
          "noeviction",
          // The service has two connections. The limits stop any other client that does not read
          // its replies from using unlimited memory.
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
   * Starts the executable with its append-only file in the folder. It waits for {@link #configure}.
   *
   * @param dropsTornEnd whether to drop an incomplete write at the end of the file; otherwise the
   *     server refuses it
   * @throws EmbeddedRedisException if the operating system cannot execute it
   */
  static ServerProcess launch(
      Path executable, Path folder, ServerAddress address, boolean dropsTornEnd) {
    try {
      var process =
          new ProcessBuilder(command(executable, address, dropsTornEnd))
              // Redis keeps its files in the working directory if no "dir" is set.
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      var server = new ServerProcess(process, address);
      var reader = new Thread(server::readOutput, "embedded-redis-output");
      reader.setDaemon(true);
      reader.start();
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
    // Further settings are sent to its standard input.
    command.addAll(List.of(executable.toString(), "-"));
    command.addAll(address.arguments());
    command.addAll(SETTINGS);
    command.addAll(List.of("--aof-load-truncated", dropsTornEnd ? "yes" : "no"));
    return command;
  }

  /**
   * Sends settings by standard input, because every account of the machine can see arguments, and
   * Redis could rewrite a file with read permission for all. The service does not need the disabled
   * commands; the first one could run code as its user.
   */
  void configure(Password password) {
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

  /** Reads all output, because a server with a full pipe would stop. */
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
    // During start and stop, Redis reports normal progress as warnings.
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
    // The advice that Redis logs at the start is never the reason why it ended.
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
   * Waits until the server has loaded its data and accepts connections, according to its output: a
   * reply on the port could come from another process.
   *
   * @throws EmbeddedRedisException if it ends before, or exceeds the limit
   */
  void awaitReady(Path executable, Duration limit) throws InterruptedException {
    try {
      await(ready, limit);
    } catch (TimeoutException tooSlow) {
      throw EmbeddedRedisException.notReadyInTime(limit, lastOutput());
    } catch (CompletionException ended) {
      // The output ends shortly before the process; wait for its exit code.
      process.waitFor(EXIT_CODE_WAIT.toMillis(), MILLISECONDS);
      if (addressRefused) {
        throw EmbeddedRedisException.addressRefused(address, lastOutput());
      }
      // A server that could run at all prints its version first.
      throw version.isEmpty()
          ? EmbeddedRedisException.cannotExecute(executable, lastOutput())
          : EmbeddedRedisException.endedEarly(lastOutput());
    }
  }

  /** Whether the server reported that its port or socket is unavailable. */
  boolean addressRefused() {
    return addressRefused;
  }

  /** Whether the server reported a file that ends with an incomplete write. */
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

  /** The last lines of its output, and its exit code if it has ended, as one line. */
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
   * Asks the server to save and stop, and waits. Never kills it: that could lose acknowledged
   * writes if the disk is slow.
   *
   * @return whether it has ended
   */
  boolean stop(Duration limit) {
    stopping = true;
    process.destroy();
    return awaitExit(limit);
  }

  /**
   * Kills a server that has acknowledged nothing, and waits.
   *
   * @return whether it has ended
   */
  boolean kill() {
    stopping = true;
    process.destroyForcibly();
    return awaitExit(KILL_WAIT);
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
