package io.github.bloomgate.redis.embedded;

import java.nio.file.Path;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Starts a redis-server on a data folder, with another address if the wanted one is unavailable,
 * and even if a crash truncated its file.
 *
 * @param password for its clients
 * @param limit the longest time until it is ready
 */
record ServerLaunch(Path executable, DataFolder folder, Password password, Duration limit) {

  private static final Logger LOG = Logger.getLogger(ServerLaunch.class);

  private static final int ATTEMPTS = 5;

  /**
   * Starts a server and waits until it is ready.
   *
   * @param isKnownToClients whether clients already know the address, so that it must not change
   * @throws EmbeddedRedisException if it cannot start; nothing is left running then
   */
  ServerProcess start(ServerAddress wanted, boolean isKnownToClients) throws InterruptedException {
    var next = wanted;
    for (var attempt = 1; ; attempt++) {
      var server = ServerProcess.launch(executable, folder.path(), next.chosen(), false);
      try {
        awaitReady(server);
        return server;
      } catch (EmbeddedRedisException failed) {
        if (attempt == ATTEMPTS) {
          throw failed;
        }
        if (server.foundTornFile()) {
          dropTornEnd();
        } else if (!server.addressRefused()) {
          throw failed;
        } else if (next.isSocket() && !isKnownToClients) {
          LOG.warnf(
              "No Unix socket can be created in %s: the embedded redis-server uses a loopback port, which any account on this machine can reach",
              folder.path());
          next = ServerAddress.ANY_PORT;
        } else if (!next.isAnyPort()) {
          throw failed;
        }
        // Another process may have taken the free port before the server listens on it.
      }
    }
  }

  /**
   * Starts a server without clients that drops an incomplete write at the end of the file. If it
   * was a transaction, Redis at first leaves its beginning in the file, and after further writes a
   * later start would execute it (https://github.com/valkey-io/valkey/pull/4342). Because nothing
   * is written here, the next server refuses that beginning, and another run drops it completely.
   */
  private void dropTornEnd() throws InterruptedException {
    LOG.warnf(
        "The append-only file in %s ends in the middle of a write, as after a crash; that write is dropped",
        folder.path());
    var server =
        ServerProcess.launch(executable, folder.path(), ServerAddress.ANY_PORT.chosen(), true);
    awaitReady(server);
    kill(server);
  }

  private void awaitReady(ServerProcess server) throws InterruptedException {
    try {
      // Recorded before it has its settings and can serve: if this JVM is killed in between, the
      // next start finds it.
      folder.remember(ServerRecord.of(server.handle(), server.address().port()), password);
      server.configure(password);
      server.awaitReady(executable, limit);
    } catch (RuntimeException | InterruptedException failed) {
      kill(server);
      throw failed;
    }
  }

  /** One that does not end stays recorded. */
  private void kill(ServerProcess server) {
    if (server.kill()) {
      folder.forget();
    }
  }
}
