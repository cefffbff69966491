package io.github.bloomgate.embedded;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.bloomgate.config.BloomgateConfig;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jboss.logging.Logger;
import redis.embedded.core.ExecutableProvider;

/**
 * A running redis-server that belongs to this JVM, keeps its data in a folder and listens on
 * loopback only, with a password of its own. It is started again, on the same port, when it ends on
 * its own. {@link #close} ends it and leaves the data; a JVM that is killed before leaves the
 * server too, and the next start on the folder shuts it down first. Thread-safe.
 */
final class EmbeddedRedis implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(EmbeddedRedis.class);

  private static final String LOOPBACK = "127.0.0.1";
  private static final int PORT_ATTEMPTS = 5;
  private static final Duration STOP_WAIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final BloomgateConfig.Embedded settings;
  private final DataFolder folder;
  private final Path executable;

  /** The same for every server of this object, as clients are told it once. */
  private final Password password = Password.random();

  private final Thread watcher = new Thread(this::watch, "embedded-redis-watcher");
  private volatile ServerProcess server;
  private boolean closed;

  private EmbeddedRedis(BloomgateConfig.Embedded settings, DataFolder folder, Path executable)
      throws InterruptedException {
    this.settings = settings;
    this.folder = folder;
    this.executable = executable;
    this.server = launch(settings.port());
  }

  /**
   * Starts the redis-server that the embedded-redis library brings for this platform, and waits
   * until it answers.
   *
   * @throws EmbeddedRedisException when that cannot be; nothing is left running or held then
   */
  static EmbeddedRedis start(BloomgateConfig.Embedded settings) {
    // Unpacked beside the data and not into the temp directory: often that is mounted noexec, and
    // a killed JVM would leave one more copy there each time.
    return start(settings, ExecutableProvider::newJarResourceProvider);
  }

  static EmbeddedRedis start(
      BloomgateConfig.Embedded settings, Function<File, ExecutableProvider> binaries) {
    var folder = DataFolder.hold(settings.dataDir());
    try {
      endLeftover(folder, settings.startTimeout());
      var redis = new EmbeddedRedis(settings, folder, unpack(folder, binaries));
      redis.logRunning();
      redis.watcher.setDaemon(true);
      redis.watcher.start();
      return redis;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      folder.close();
      throw EmbeddedRedisException.interrupted();
    } catch (RuntimeException failed) {
      folder.close();
      throw failed;
    }
  }

  /** Shuts down a server that outlived its JVM, so that what it acknowledged is in the file. */
  private static void endLeftover(DataFolder folder, Duration limit) throws InterruptedException {
    var recorded = folder.remembered();
    if (recorded.isEmpty()) {
      return;
    }
    var running = recorded.get().findRunning(folder.path());
    if (running.isPresent()) {
      var stopped = running.get().destroy() && awaitEnd(running.get(), limit);
      if (!stopped) {
        throw EmbeddedRedisException.leftoverKeepsRunning(recorded.get(), folder.path());
      }
      LOG.infof(
          "Shut down the redis-server that an earlier run left behind (process %d, port %d);"
              + " its data in %s is taken over",
          recorded.get().pid(), recorded.get().port(), folder.path());
    }
    folder.forget();
  }

  private static boolean awaitEnd(ProcessHandle process, Duration limit)
      throws InterruptedException {
    var deadline = System.nanoTime() + limit.toNanos();
    // One without a command has ended, but the init process of some containers never collects it.
    while (process.isAlive() && process.info().command().isPresent()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(POLL.toMillis());
    }
    return true;
  }

  private static Path unpack(DataFolder folder, Function<File, ExecutableProvider> binaries) {
    try {
      return binaries.apply(folder.path().toFile()).get().toPath();
    } catch (IOException unusable) {
      throw EmbeddedRedisException.folderUnusable(folder.path(), unusable);
    } catch (RuntimeException unknownPlatform) {
      throw EmbeddedRedisException.noBinary(unknownPlatform.toString());
    }
  }

  private ServerProcess launch(int wantedPort) throws InterruptedException {
    for (var attempt = 1; ; attempt++) {
      var started =
          ServerProcess.launch(
              executable, folder.path(), wantedPort == 0 ? findFreePort() : wantedPort, password);
      try {
        folder.remember(ServerRecord.of(started.handle(), started.port()), password);
        started.awaitReady(executable, settings.startTimeout());
        return started;
      } catch (RuntimeException | InterruptedException failed) {
        started.kill();
        folder.forget();
        // Between finding a free port and listening on it, somebody else may have taken it.
        if (wantedPort != 0 || !started.portRefused() || attempt == PORT_ATTEMPTS) {
          throw failed;
        }
      }
    }
  }

  private static int findFreePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException none) {
      throw EmbeddedRedisException.noFreePort(none.getMessage());
    }
  }

  private void logRunning() {
    LOG.infof(
        "Embedded redis-server %s listens on %s:%d (process %d) and keeps its data in %s",
        server.version(), LOOPBACK, server.port(), pid(), folder.path());
  }

  /** Starts the server again whenever it ends, slower each time while it does not last. */
  private void watch() {
    var pause = FIRST_PAUSE;
    try {
      while (true) {
        var watchedSince = System.nanoTime();
        server.awaitExit();
        if (System.nanoTime() - watchedSince > LONGEST_PAUSE.toNanos()) {
          pause = FIRST_PAUSE;
        }
        MILLISECONDS.sleep(pause.toMillis());
        pause =
            pause.compareTo(LONGEST_PAUSE.dividedBy(2)) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        if (jvmIsEnding()) {
          return;
        }
        LOG.errorf(
            "The embedded redis-server (process %d) ended on its own (%s); look into the cause."
                + " It is being started again on port %d",
            pid(), server.lastOutput(), port());
        try {
          server = launch(port());
          logRunning();
        } catch (EmbeddedRedisException failed) {
          LOG.errorf("%s Trying again in %d ms", failed.getMessage(), pause.toMillis());
        }
      }
    } catch (InterruptedException closing) {
      LOG.debug("The embedded redis-server is watched no longer");
    }
  }

  /** A Ctrl-C reaches the server too; that is no reason to start it again. */
  private static boolean jvmIsEnding() {
    try {
      Runtime.getRuntime().removeShutdownHook(new Thread());
      return false;
    } catch (IllegalStateException ending) {
      return true;
    }
  }

  /**
   * Where clients connect; stays the same for the life of this object. Has the password, so it must
   * not be logged.
   */
  URI uri() {
    return URI.create("redis://:" + password.text() + "@" + LOOPBACK + ":" + port());
  }

  int port() {
    return server.port();
  }

  /** The process that serves now. */
  long pid() {
    return server.handle().pid();
  }

  /** Ends the server with all data in its file and gives the folder free; may be called again. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    endWatcher();
    try {
      if (server.stop(STOP_WAIT)) {
        folder.forget();
        LOG.infof("Embedded redis-server stopped; its data stays in %s", folder.path());
      } else {
        LOG.errorf(
            "The embedded redis-server (process %d) is still writing to %s after %d s; the next"
                + " start on this folder waits for it",
            pid(), folder.path(), STOP_WAIT.toSeconds());
      }
    } finally {
      folder.close();
    }
  }

  /** After this nobody else changes {@link #server}. */
  private void endWatcher() {
    watcher.interrupt();
    try {
      watcher.join(STOP_WAIT.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
