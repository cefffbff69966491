package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Opens sessions from the driver options, one at a time and each attempt bounded in time. Used on
 * the link's event loop only.
 */
final class SessionSource {
  // In metrics: the client that Quarkus builds has figures of the same kinds.
  private static final String NAME = "bloomgate";

  private final Vertx vertx;
  private final Supplier<RedisOptions> options;
  private final long timeoutMillis;
  private Redis client;
  private Promise<Session> opened;

  SessionSource(Vertx vertx, Supplier<RedisOptions> options, Duration timeout) {
    this.vertx = vertx;
    this.options = options;
    this.timeoutMillis = Math.max(1, timeout.toMillis());
  }

  /**
   * Makes a connection, handshake included; not to be called again before the result is there. The
   * connection lives on the event loop of the caller, where the result is delivered too.
   *
   * <p>An attempt that is not through in time fails and leaves nothing behind: a stopped Redis
   * still accepts connections but never answers the handshake, and the driver would wait for ever.
   */
  Future<Session> open() {
    try {
      client = Redis.createClient(vertx, boundedOptions());
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    Redis attempt = client;
    Promise<Session> result = Promise.promise();
    opened = result;
    long timer = vertx.setTimer(timeoutMillis, ignored -> fail(new TimeoutException()));
    attempt
        .connect()
        .compose(SessionSource::requireService)
        .onComplete(
            connected -> {
              vertx.cancelTimer(timer);
              if (opened != result) {
                return;
              }
              if (connected.succeeded()) {
                opened = null;
                result.complete(new Session(attempt, connected.result()));
              } else {
                fail(connected.cause());
              }
            });
    return result.future();
  }

  /**
   * The driver does not tell when Redis refused the handshake for want of a password: each request
   * would be refused then, and many a connection closed.
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

  /** Ends the attempt under way, if there is one. */
  void fail(Throwable reason) {
    if (opened != null) {
      Promise<Session> attempt = opened;
      opened = null;
      client.close();
      attempt.fail(reason);
    }
  }

  /** Whether a session has connections to several nodes, of which one may be lost alone. */
  boolean isSpread() {
    return options.get().getType() == RedisClientType.REPLICATION;
  }

  /** How many requests may wait for a connection: as many as the driver lets wait for replies. */
  int maxWaiting() {
    return options.get().getMaxWaitingHandlers();
  }

  // Otherwise the socket of an attempt given up here would be tried for a minute more.
  private RedisOptions boundedOptions() {
    RedisOptions bounded = new RedisOptions(options.get());
    NetClientOptions net = new NetClientOptions(bounded.getNetClientOptions());
    net.setMetricsName("redis|" + NAME);
    net.setConnectTimeout((int) Math.min(net.getConnectTimeout(), timeoutMillis));
    return bounded.setNetClientOptions(net).setPoolName(NAME);
  }
}
