package io.github.bloomgate.redis;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.impl.ContextInternal;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** One sentinel: asks it, and receives its announcements. Used on the link's event loop only. */
final class Sentinel {
  private static final Logger LOG = Logger.getLogger(Sentinel.class);

  /**
   * Announced by the sentinel that leads a failover before it promotes the replica, at its next
   * tick at least 50 ms later; when the replica is promoted; and by all when they know the new
   * primary.
   */
  private static final List<String> CHANNELS =
      List.of(
          "+failover-state-send-slaveof-noone", "+failover-state-reconf-slaves", "+switch-master");

  /** The states in which the replica may already be a primary, and its sentinel is not sure. */
  private static final Set<String> CHANGING = Set.of("send_slaveof_noone", "wait_promotion");

  private final ContextInternal loop;
  private final RedisOptions options;
  private final Duration timeout;
  private final RedisAddress address;
  private final Sentinels all;

  /** Null if there are no connections, and no attempt to open them. */
  private Future<Connections> connections;

  private boolean reportedDown;

  /**
   * What a sentinel knows.
   *
   * @param primary its address
   * @param epoch the latest knowledge has the highest one
   * @param isChanging whether a replica is being promoted
   */
  record Known(String primary, long epoch, boolean isChanging) {}

  /** Two, because the driver loses requests on a connection that receives messages. */
  private record Connections(Session questions, Session announcements) {
    void close() {
      questions.close();
      announcements.close();
    }
  }

  /**
   * @param options of the service
   * @param endpoint one of their endpoints
   */
  Sentinel(
      ContextInternal loop,
      RedisOptions options,
      Duration timeout,
      String endpoint,
      Sentinels all) {
    this.loop = loop;
    this.timeout = timeout;
    this.address = RedisAddress.parse(endpoint);
    this.options = Primary.at(options, address.withoutDatabase());
    this.all = all;
  }

  boolean isConnected() {
    return connections != null && connections.succeeded();
  }

  /** Asks for the primary; connects first if necessary. */
  Future<Known> ask() {
    if (connections == null) {
      connections = connect();
    }
    var asked = connections;
    return asked
        .compose(open -> ask(open.questions()))
        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .onSuccess(answer -> reportUp())
        .onFailure(failure -> lose(asked, failure));
  }

  void close() {
    if (connections != null) {
      connections.onSuccess(Connections::close);
    }
  }

  private Future<Connections> connect() {
    Promise<Connections> attempt = loop.promise();
    var questions = open(attempt.future());
    var announcements =
        open(attempt.future())
            .compose(
                opened ->
                    opened
                        .subscribe(CHANNELS, this::hear)
                        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .onFailure(failure -> opened.close())
                        .map(opened));
    Future.join(questions, announcements)
        .map(both -> new Connections(questions.result(), announcements.result()))
        .onFailure(
            failure -> {
              questions.onSuccess(Session::close);
              announcements.onSuccess(Session::close);
            })
        .onComplete(attempt);
    return attempt.future();
  }

  private Future<Session> open(Future<Connections> part) {
    return Session.open(loop.owner(), options, timeout)
        .onSuccess(opened -> opened.onLoss(failure -> lose(part, failure)));
  }

  private void hear(Response message) {
    if (message.get(0).toString().equals("message")) {
      ask().onSuccess(all::hear);
    }
  }

  private Future<Known> ask(Session from) {
    var group = all.group();
    var state = from.send(Request.cmd(Command.SENTINEL).arg("MASTER").arg(group));
    // Unlike the address in the state, this is the new one as soon as the replica is promoted.
    var primary =
        from.send(Request.cmd(Command.SENTINEL).arg("GET-MASTER-ADDR-BY-NAME").arg(group));
    return Future.all(state, primary).map(both -> answer(state.result(), primary.result()));
  }

  private Known answer(Response state, Response primary) {
    return new Known(
        address.of(primary.get(0).toString(), primary.get(1).toInteger()),
        state.get("config-epoch").toLong(),
        CHANGING.contains(String.valueOf(state.get("failover-state"))));
  }

  private void lose(Future<Connections> lost, Throwable failure) {
    if (lost != connections) {
      return;
    }
    connections = null;
    lost.onSuccess(Connections::close);
    if (!reportedDown && !all.isClosed()) {
      reportedDown = true;
      LOG.warnf(
          "The link to the sentinel %s is down: %s. Reconnecting until it is back.",
          address, LinkFailure.reasonOf(failure));
    }
  }

  private void reportUp() {
    if (reportedDown) {
      reportedDown = false;
      LOG.infof("Connected to the sentinel %s again.", address);
    }
  }
}
