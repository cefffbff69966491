package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import io.vertx.redis.client.impl.types.ErrorType;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection with its driver client. Used on the link's event loop only.
 *
 * <p>Each connection has its own client, because only closing the client closes the socket. Closing
 * a connection only returns it to the client's pool, and an unanswered attempt to connect would
 * hold its place in the pool forever.
 */
final class Session {
  // The client name in metrics, to distinguish it from the client that Quarkus builds.
  private static final String NAME = "bloomgate";

  /** A link that is used asks this often whether its Redis is still a primary. */
  private static final long ROLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Redis client;
  private final RedisConnection connection;
  private final String address;
  private final Role role;
  private final long openedAt;
  private long heardAt;
  private Future<Integer> confirming = Future.succeededFuture(0);
  private Future<Integer> following;
  private long roleAskedAt;
  private boolean isDistrusted;
  private boolean closed;

  private Session(Redis client, RedisConnection connection, String address, Role role) {
    this.client = client;
    this.connection = connection;
    this.address = address;
    this.role = role;
    this.openedAt = System.nanoTime();
    this.heardAt = openedAt;
    this.roleAskedAt = openedAt;
  }

  /**
   * Opens a connection, including the handshake. Connection and result are on the caller's event
   * loop.
   *
   * <p>An attempt that times out is cleaned up: a stopped Redis accepts connections but never
   * answers the handshake, and the driver would wait forever.
   */
  static Future<Session> open(Vertx vertx, RedisOptions options, Duration timeout) {
    long millis = Math.max(1, timeout.toMillis());
    try {
      return open(Redis.createClient(vertx, bounded(options, millis)), options, millis);
    } catch (Throwable e) {
      // Otherwise no attempt would follow.
      return Future.failedFuture(e);
    }
  }

  private static Future<Session> open(Redis client, RedisOptions options, long millis) {
    return client
        .connect()
        .compose(
            connection ->
                roleOf(connection.send(Request.cmd(Command.ROLE)))
                    .map(role -> new Session(client, connection, options.getEndpoint(), role)))
        .timeout(millis, TimeUnit.MILLISECONDS)
        .onFailure(failure -> client.close());
  }

  // Otherwise an abandoned attempt would keep its socket for another minute.
  private static RedisOptions bounded(RedisOptions options, long millis) {
    RedisOptions bounded = new RedisOptions(options);
    NetClientOptions net = new NetClientOptions(bounded.getNetClientOptions());
    net.setMetricsName("redis|" + NAME);
    net.setConnectTimeout((int) Math.min(net.getConnectTimeout(), millis));
    return bounded.setNetClientOptions(net).setPoolName(NAME);
  }

  /**
   * Fails without a password that Redis requires: the driver does not report a handshake that was
   * refused for lack of it, and every request would then fail.
   */
  private static Future<Role> roleOf(Future<Response> reply) {
    return reply
        .map(Role::of)
        .recover(
            failure ->
                LinkFailure.isServed(failure)
                    ? Future.succeededFuture(Role.UNKNOWN)
                    : Future.failedFuture(failure));
  }

  /** Sets the handler for the loss of a connection. */
  void onLoss(Consumer<Throwable> handler) {
    connection.exceptionHandler(handler::accept);
    connection.endHandler(ignored -> handler.accept(new ClosedChannelException()));
  }

  /** What it connects to, in the driver's form. */
  String address() {
    return address;
  }

  /** The role when it was opened. */
  Role role() {
    return role;
  }

  /** Whether the role is known and was not asked for just before. */
  boolean isRoleOld() {
    return role.isKnown() && System.nanoTime() - roleAskedAt > ROLE_NANOS;
  }

  /** The reply arrives before those of later requests. */
  Future<Role> askRole() {
    roleAskedAt = System.nanoTime();
    return roleOf(send(Request.cmd(Command.ROLE)));
  }

  /** Marks replies from now on as those of a Redis that may lack adds, or lose them. */
  void distrust() {
    isDistrusted = true;
  }

  boolean isDistrusted() {
    return isDistrusted;
  }

  /**
   * Subscribes to channels. The connection must not be used for requests, because the driver loses
   * one with each message.
   *
   * @param handler receives each message
   */
  Future<Void> subscribe(List<String> channels, Consumer<Response> handler) {
    Request request = Request.cmd(Command.SUBSCRIBE);
    channels.forEach(request::arg);
    var confirmed = Promise.<Void>promise();
    connection.handler(
        message -> {
          if (message.type() == ResponseType.ERROR) {
            confirmed.tryFail((ErrorType) message);
          } else if (!confirmed.tryComplete()) {
            handler.accept(message);
          }
        });
    return connection.send(request).compose(sent -> confirmed.future());
  }

  Future<Response> send(Request request) {
    try {
      return connection.send(request);
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
  }

  /** Sends ASKING, so that the node serves the next request for a slot that it is importing. */
  void ask() {
    // If it fails, the request will fail too.
    connection.send(Request.cmd(Command.ASKING)).onComplete(ignored -> {});
  }

  /**
   * Waits until replicas have confirmed all earlier changes on this connection.
   *
   * <p>Redis blocks the connection for that time. So there is one wait at a time, and callers that
   * arrive during it share the next.
   *
   * @param enough the number of replicas that ends the wait
   * @param millis the timeout
   * @return the number of replicas that confirmed the changes
   */
  Future<Integer> confirm(int enough, long millis) {
    if (following != null) {
      return following;
    }
    if (confirming.isComplete()) {
      confirming = wait(enough, millis);
      return confirming;
    }
    following =
        confirming.transform(
            done -> {
              confirming = following;
              following = null;
              return wait(enough, millis);
            });
    return following;
  }

  private Future<Integer> wait(int enough, long millis) {
    return connection
        .send(Request.cmd(Command.WAIT).arg(enough).arg(millis))
        .map(Response::toInteger);
  }

  /** Closes immediately; the driver fails all pending requests. */
  void close() {
    if (!closed) {
      closed = true;
      client.close();
    }
  }

  /** Records a reply. */
  void hear() {
    heardAt = System.nanoTime();
  }

  /** Whether a request was ever answered. */
  boolean wasHeard() {
    return heardAt - openedAt > 0;
  }

  boolean heardSince(long time) {
    return heardAt - time >= 0;
  }

  long openedAt() {
    return openedAt;
  }
}
