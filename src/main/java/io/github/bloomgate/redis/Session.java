package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.channels.ClosedChannelException;
import java.util.function.Consumer;

/**
 * One connection with the driver client that made it. Used on the link's event loop only.
 *
 * <p>Each connection has a client of its own, because only closing the client closes the socket:
 * closing a connection hands it back to the client's pool, where the next one to connect gets it,
 * and a connection attempt that is never answered holds its place in the pool for ever.
 */
final class Session {
  private final Redis client;
  private final RedisConnection connection;
  private final long openedAt;
  private long heardAt;
  private boolean heard;
  private int open;
  private boolean retired;
  private Promise<Integer> confirming;
  private Promise<Integer> following;

  Session(Redis client, RedisConnection connection) {
    this.client = client;
    this.connection = connection;
    this.openedAt = System.nanoTime();
    this.heardAt = openedAt;
  }

  /** Names what is told when the connection, or one of several to a cluster, is lost. */
  void onLoss(Consumer<Throwable> handler) {
    connection.exceptionHandler(handler::accept);
    connection.endHandler(ignored -> handler.accept(new ClosedChannelException()));
  }

  Future<Response> send(Request request) {
    open++;
    try {
      return connection.send(request);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /** Has the next request served though its slot is still on its way to this node. */
  void ask() {
    // Whatever becomes of it, the request tells.
    connection.send(Request.cmd(Command.ASKING)).onComplete(ignored -> {});
  }

  /**
   * Waits until replicas have all that was done before on this connection.
   *
   * <p>Redis does nothing else for the connection meanwhile. So one wait is under way at most, and
   * those who come during it share the next.
   *
   * @param enough how many replicas end the wait early
   * @param millis how long it takes at most
   * @return how many replicas have it
   */
  Future<Integer> confirm(int enough, long millis) {
    if (confirming != null) {
      if (following == null) {
        following = Promise.promise();
      }
      return following.future();
    }
    Promise<Integer> now = Promise.promise();
    confirming = now;
    wait(enough, millis);
    return now.future();
  }

  private void wait(int enough, long millis) {
    connection
        .send(Request.cmd(Command.WAIT).arg(enough).arg(millis))
        .onComplete(
            reply -> {
              Promise<Integer> done = confirming;
              confirming = following;
              following = null;
              if (confirming != null) {
                wait(enough, millis);
              }
              if (reply.succeeded()) {
                done.complete(reply.result().toInteger());
              } else {
                done.fail(reply.cause());
              }
            });
  }

  /** One request less is of interest; a retired session closes with the last one. */
  void finished() {
    open--;
    closeWhenDrained();
  }

  /** Takes no more requests, and closes when those under way have their results. */
  void retire() {
    retired = true;
    closeWhenDrained();
  }

  private void closeWhenDrained() {
    if (retired && open == 0) {
      client.close();
    }
  }

  /** Closes at once; the driver fails all requests under way. */
  void close() {
    client.close();
  }

  /** Notes a reply and says whether it was the first. */
  boolean hear(long now) {
    boolean first = !heard;
    heard = true;
    heardAt = now;
    return first;
  }

  /** Whether it ever brought a reply. */
  boolean wasHeard() {
    return heard;
  }

  boolean heardSince(long time) {
    return heardAt - time >= 0;
  }

  long openedAt() {
    return openedAt;
  }
}
