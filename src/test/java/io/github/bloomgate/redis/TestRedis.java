package io.github.bloomgate.redis;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis process of one test, which can be stopped, killed and restarted on the same port.
 *
 * <p>Runs the binary of the embedded Redis, or the one in the system property {@code
 * test.redis-server}.
 */
public final class TestRedis implements AutoCloseable {
  private static final long MAX_WAIT_SECONDS = 120;

  private final ReservedPort port;
  private final List<String> settings;
  private final Path folder;
  private final Vertx vertx = Vertx.vertx();
  private final Redis admin;
  private volatile Process process;
  private volatile boolean frozen;
  private Optional<ReservedPort> tlsPort = Optional.empty();
  private List<String> sentinelOf = List.of();

  private TestRedis(ReservedPort port, List<String> settings) throws IOException {
    this.port = port;
    this.settings = settings;
    this.folder = Files.createTempDirectory("bloomgate-redis");
    this.admin = Redis.createClient(vertx, new RedisOptions().setConnectionString(uri()));
  }

  /** Starts a server on a free port. Settings are command-line options such as "--maxclients". */
  public static TestRedis started(String... settings) {
    TestRedis redis = stopped(settings);
    redis.start();
    return redis;
  }

  /** Starts a server with a second port for TLS. */
  public static TestRedis startedWithTls(Path certificate, Path key) {
    ReservedPort port = ReservedPort.any();
    TestRedis redis =
        started(
            "--tls-port",
            String.valueOf(port.number()),
            "--tls-cert-file",
            certificate.toString(),
            "--tls-key-file",
            key.toString(),
            "--tls-ca-cert-file",
            certificate.toString(),
            "--tls-auth-clients",
            "no");
    redis.tlsPort = Optional.of(port);
    return redis;
  }

  /** The port for TLS; 0 for none. */
  public int tlsPort() {
    return tlsPort.map(ReservedPort::number).orElse(0);
  }

  /** Starts a sentinel that watches a primary with a quorum of two. */
  static TestRedis startedAsSentinel(String name, int port) {
    TestRedis redis = stopped();
    redis.sentinelOf = List.of(name, "127.0.0.1", String.valueOf(port));
    redis.start();
    return redis;
  }

  /** A server on a free port that is not started yet. */
  static TestRedis stopped(String... settings) {
    try {
      return new TestRedis(ReservedPort.any(), List.of(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the server, on the same port if it ran before, and waits until it accepts clients. */
  public void start() {
    List<String> command = new ArrayList<>(List.of(program(), "--port", String.valueOf(port())));
    command.addAll(List.of("--bind", "127.0.0.1", "--dir", folder.toString(), "--save", ""));
    if (Version.REFUSES_DEBUG) {
      command.addAll(List.of("--enable-debug-command", "yes"));
    }
    command.addAll(settings);
    try {
      if (!sentinelOf.isEmpty()) {
        command = sentinelCommand();
      }
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      var output = process.inputReader(StandardCharsets.UTF_8);
      StringBuilder seen = new StringBuilder();
      String line;
      do {
        line = output.readLine();
        if (line == null) {
          throw new IllegalStateException("redis-server did not start: " + seen);
        }
        seen.append(line).append('\n');
      } while (!line.contains("Ready to accept connections") && !line.contains("+monitor master"));
      Thread drain = new Thread(() -> drain(process), "redis-output");
      drain.setDaemon(true);
      drain.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> sentinelCommand() throws IOException {
    Path file = folder.resolve("sentinel.conf");
    String name = sentinelOf.get(0);
    Files.writeString(
        file,
        String.join(
            "\n",
            "port " + port(),
            "bind 127.0.0.1",
            "dir " + folder,
            "sentinel monitor " + String.join(" ", sentinelOf) + " 2",
            "sentinel down-after-milliseconds " + name + " 5000",
            "sentinel failover-timeout " + name + " 10000",
            ""));
    return List.of(program(), file.toString(), "--sentinel");
  }

  /** The path of the server's program. */
  public static String program() {
    String named = System.getProperty("test.redis-server");
    return named == null ? Unpacked.PATH : named;
  }

  /** Since version 7, a server runs DEBUG only with a setting that earlier ones do not know. */
  private static final class Version {
    private static final boolean REFUSES_DEBUG = !line().matches("(?s).* v=[0-6]\\..*");

    private static String line() {
      try {
        var asked = new ProcessBuilder(program(), "--version").start();
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The binary from the jar, unpacked once for all tests. */
  private static final class Unpacked {
    private static final String PATH = unpack();

    private static String unpack() {
      try {
        return ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public Path folder() {
    return folder;
  }

  public int port() {
    return port.number();
  }

  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  public RedisOptions options() {
    return new RedisOptions().setConnectionString(uri()).setMaxWaitingHandlers(65_536);
  }

  /** Whether the process runs and is not frozen. */
  public boolean isRunning() {
    return process != null && process.isAlive() && !frozen;
  }

  /** Stops the process like a hanging machine: connections stay open without replies. */
  public void freeze() {
    frozen = true;
    signal("STOP");
  }

  public void thaw() {
    signal("CONT");
    frozen = false;
  }

  public void kill() {
    frozen = false;
    process.destroyForcibly();
    try {
      if (!process.waitFor(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("redis-server survived the kill");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs a command over a connection of its own. Returns the reply, or null for nil. */
  public Response command(String name, String... arguments) {
    Request request = Request.cmd(Command.create(name));
    for (String argument : arguments) {
      request.arg(argument);
    }
    try {
      return admin
          .send(request)
          .toCompletionStage()
          .toCompletableFuture()
          .get(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  public long info(String section, String name) {
    return command("INFO", section)
        .toString()
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The bytes by which a string can grow before it moves. Strings that were written whole have none
   * in Redis 6.2, and the rest of their allocation in later versions.
   */
  public long spareBytes(String key) {
    return Long.parseLong(
        command("DEBUG", "SDSLEN", key)
            .toString()
            .replaceAll("(?s).*val_sds_avail:(\\d+).*", "$1"));
  }

  /** The number of requests that were refused because their keys were moving. */
  public int tryAgainRefusals() {
    var count =
        Pattern.compile("errorstat_TRYAGAIN:count=(\\d+)")
            .matcher(command("INFO", "errorstats").toString());
    return count.find() ? Integer.parseInt(count.group(1)) : 0;
  }

  /** Waits until a replica has all changes made before this call. */
  public void awaitReplicatedBy(TestRedis replica) {
    long done = info("replication", "master_repl_offset");
    Awaitility.await()
        .atMost(Duration.ofSeconds(MAX_WAIT_SECONDS))
        .until(() -> replica.info("replication", "slave_repl_offset") >= done);
  }

  @Override
  public void close() {
    vertx.close();
    if (process != null) {
      kill();
    }
    port.close();
    tlsPort.ifPresent(ReservedPort::close);
    // A child process that saves may live a little longer and still write.
    Awaitility.await()
        .atMost(Duration.ofSeconds(MAX_WAIT_SECONDS))
        .ignoreExceptions()
        .until(this::isFolderDeleted);
  }

  private boolean isFolderDeleted() throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    return true;
  }

  private void signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void drain(Process process) {
    try {
      process.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The process has ended, and its output with it.
      return;
    }
  }
}
