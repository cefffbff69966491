package io.github.bloomgate.redis.embedded;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.bloomgate.config.BloomgateConfig;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;
import org.jboss.logging.Logger;
import redis.embedded.core.ExecutableProvider;

/**
 * A redis-server process of this JVM. It keeps its data in a folder, listens on a Unix socket there
 * or on loopback, and has a random password. If it ends unexpectedly, it is restarted at the same
 * address. {@link #close} stops it and keeps the data. If the JVM is killed, the server keeps
 * running, and the next start on the folder shuts it down. Thread-safe.
 */
final class EmbeddedRedis implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(EmbeddedRedis.class);

  private static final Duration STOP_WAIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final DataFolder folder;

  /** All servers of this object have the same password, because clients read it only once. */
  private final ServerLaunch launch;

  private final Thread watcher = new Thread(this::watch, "embedded-redis-watcher");
  private volatile ServerProcess server;
  private boolean closed;

  private EmbeddedRedis(ServerLaunch launch, ServerAddress address) throws InterruptedException {
    this.folder = launch.folder();
    this.launch = launch;
    this.server = launch.start(address, false);
  }

  /**
   * Starts the configured redis-server, or the one bundled for this platform, and waits until it is
   * ready.
   *
   * @param sockets whether clients in this JVM can connect to a Unix socket
   * @throws EmbeddedRedisException if it cannot start; nothing is left running or locked then
   */
  static EmbeddedRedis start(BloomgateConfig.Embedded settings, boolean sockets) {
    return start(settings, sockets, ExecutableProvider::newJarResourceProvider);
  }

  static EmbeddedRedis start(
      BloomgateConfig.Embedded settings,
      boolean sockets,
      Function<File, ExecutableProvider> binaries) {
    var folder = DataFolder.hold(settings.dataDir());
    try {
      endLeftover(folder, settings.startTimeout());
      var program =
          settings.executable().isPresent()
              ? ServerProgram.installed(settings.executable().get())
              : ServerProgram.bundled(folder, binaries);
      var launch = new ServerLaunch(program, folder, Password.random(), settings.startTimeout());
      var redis = new EmbeddedRedis(launch, address(settings, sockets, folder));
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

  /** Shuts down a server that outlived its JVM, so that all acknowledged writes are in the file. */
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
          "Shut down the redis-server that an earlier run left behind (process %d);"
              + " its data in %s is taken over",
          recorded.get().pid(), folder.path());
    }
    folder.forget();
  }

  private static boolean awaitEnd(ProcessHandle process, Duration limit)
      throws InterruptedException {
    var deadline = System.nanoTime() + limit.toNanos();
    // A process without a command has ended, but some containers' init process never reaps it.
    while (process.isAlive() && process.info().command().isPresent()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(POLL.toMillis());
    }
    return true;
  }

  private static ServerAddress address(
      BloomgateConfig.Embedded settings, boolean sockets, DataFolder folder) {
    if (settings.port().isPresent()) {
      return ServerAddress.port(settings.port().get());
    }
    var socket = ServerAddress.socketIn(folder.path());
    if (!sockets) {
      LOG.info(
          "Unix sockets cannot be used, because Netty has no native library for this platform");
      return ServerAddress.ANY_PORT;
    }
    if (socket.isTooLong()) {
      LOG.warnf(
          "The path %s is too long for a Unix socket: the embedded redis-server uses a loopback port, which any account on this machine can reach",
          socket);
      return ServerAddress.ANY_PORT;
    }
    return socket;
  }

  private void logRunning() {
    LOG.infof(
        "Embedded redis-server %s (%s) listens on %s (process %d) and keeps its data in %s",
        server.version(), launch.executable(), server.address(), pid(), folder.path());
  }

  /** Restarts the server when it ends, with longer pauses while it keeps ending. */
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
        LOG.errorf(
            "The embedded redis-server (process %d) exited unexpectedly (%s). It is being restarted; find the cause",
            pid(), server.lastOutput());
        try {
          server = launch.start(server.address(), true);
          logRunning();
        } catch (EmbeddedRedisException failed) {
          LOG.errorf("%s Trying again in %d ms", failed.getMessage(), pause.toMillis());
        }
      }
    } catch (InterruptedException closing) {
      LOG.debug("The embedded redis-server is no longer monitored");
    }
  }

  /** The address for clients, which never changes. Contains the password: do not log it. */
  URI uri() {
    return server.address().uri(launch.password());
  }

  ServerAddress address() {
    return server.address();
  }

  Password password() {
    return launch.password();
  }

  /** The id of the current process. */
  long pid() {
    return server.handle().pid();
  }

  /**
   * Stops the server with all data in its file and unlocks the folder. Later calls have no effect.
   */
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

  /** Afterwards {@link #server} no longer changes. */
  private void endWatcher() {
    watcher.interrupt();
    try {
      watcher.join(STOP_WAIT.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
