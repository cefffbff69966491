package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Opens sessions from the driver options. Used on the link's event loop only. */
final class SessionSource {
  // The client name in metrics, to distinguish it from the client that Quarkus builds.
  private static final String NAME = "bloomgate";

  private final Vertx vertx;
  private final Supplier<RedisOptions> options;
  private final long timeoutMillis;

  SessionSource(Vertx vertx, Supplier<RedisOptions> options, Duration timeout) {
    this.vertx = vertx;
    this.options = options;
    this.timeoutMillis = Math.max(1, timeout.toMillis());
  }

  /**
   * Opens a connection, including the handshake. Connection and result are on the caller's event
   * loop.
   *
   * <p>An attempt that times out is cleaned up: a stopped Redis accepts connections but never
   * answers the handshake, and the driver would wait forever.
   */
  Future<Session> open() {
    Redis client;
    try {
      client = Redis.createClient(vertx, boundedOptions());
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    return client
        .connect()
        .compose(SessionSource::requireService)
        .map(connection -> new Session(client, connection))
        .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
        .onFailure(failure -> client.close());
  }

  /**
   * The driver does not report a handshake that was refused for lack of a password; every request
   * would then fail.
   */
  private static Future<RedisConnection> requireService(RedisConnection connection) {
    return connection
        .send(Request.cmd(Command.PING))
        .map(connection)
        .recover(
            failure ->
                LinkFailure.isServed(failure)
                    ? Future.succeededFuture(connection)
                    : Future.failedFuture(failure));
  }

  /** The most requests that may wait for a connection, the driver's limit for pending replies. */
  int maxWaiting() {
    return options.get().getMaxWaitingHandlers();
  }

  // Otherwise an abandoned attempt would keep its socket for another minute.
  private RedisOptions boundedOptions() {
    RedisOptions bounded = new RedisOptions(options.get());
    NetClientOptions net = new NetClientOptions(bounded.getNetClientOptions());
    net.setMetricsName("redis|" + NAME);
    net.setConnectTimeout((int) Math.min(net.getConnectTimeout(), timeoutMillis));
    return bounded.setNetClientOptions(net).setPoolName(NAME);
  }
}
