package io.github.bloomgate.redis.embedded;

import java.nio.file.Path;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Starts a redis-server on a data folder, also where the address that is wanted cannot be had, and
 * on a file that a crash has cut off.
 *
 * @param password for its clients
 * @param limit how long it may take until it answers
 */
record ServerLaunch(Path executable, DataFolder folder, Password password, Duration limit) {

  private static final Logger LOG = Logger.getLogger(ServerLaunch.class);

  private static final int ATTEMPTS = 5;

  /**
   * Starts one and waits until it answers.
   *
   * @param isToldToClients whether clients know the address already, so that no other will do
   * @throws EmbeddedRedisException when that cannot be; nothing is left running then
   */
  ServerProcess start(ServerAddress wanted, boolean isToldToClients) throws InterruptedException {
    var next = wanted;
    for (var attempt = 1; ; attempt++) {
      var server = ServerProcess.launch(executable, folder.path(), next.chosen(), password, false);
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
        } else if (next.isSocket() && !isToldToClients) {
          LOG.warnf(
              "No Unix socket can be made in %s: the embedded redis-server gets a loopback port, which every account of this machine reaches",
              folder.path());
          next = ServerAddress.ANY_PORT;
        } else if (!next.isAnyPort()) {
          throw failed;
        }
        // Between finding a free port and listening on it, somebody else may have taken it.
      }
    }
  }

  /**
   * Has a server that no client knows drop what the last one was writing when it was killed. If
   * that was a transaction, Redis first leaves its beginning in the file, and once more was written
   * behind it, a later start would carry that out too
   * (https://github.com/valkey-io/valkey/pull/4342). Nothing is written here: the next server
   * refuses the beginning, and another turn drops it whole.
   */
  private void dropTornEnd() throws InterruptedException {
    LOG.warnf(
        "The append-only file in %s ends amid a write, as after a crash; that write is dropped",
        folder.path());
    var server =
        ServerProcess.launch(
            executable, folder.path(), ServerAddress.ANY_PORT.chosen(), password, true);
    awaitReady(server);
    server.kill();
    folder.forget();
  }

  private void awaitReady(ServerProcess server) throws InterruptedException {
    try {
      folder.remember(ServerRecord.of(server.handle(), server.address().port()), password);
      server.awaitReady(executable, limit);
    } catch (RuntimeException | InterruptedException failed) {
      server.kill();
      folder.forget();
      throw failed;
    }
  }
}
