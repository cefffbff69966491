package io.github.bloomgate.bench;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;

/** A connection to a Redis, for measurements without the service. */
final class RedisConnection implements AutoCloseable {

  private static final Vertx VERTX =
      Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setUseDaemonThread(true));

  private final Redis redis;

  /**
   * Opens a connection.
   *
   * @param address as in {@code quarkus.redis.hosts}
   */
  RedisConnection(String address) {
    redis = Redis.createClient(VERTX, address);
  }

  /** Sends a command and returns its reply as text. */
  String call(String command, List<String> arguments) {
    var request = Request.cmd(Command.create(command));
    arguments.forEach(request::arg);
    return redis.send(request).toCompletionStage().toCompletableFuture().join().toString();
  }

  /** The longest call in the slow log; empty if the log is. */
  OptionalLong longestSlowCallMicros() {
    var request = Request.cmd(Command.SLOWLOG).arg("GET").arg(-1);
    var entries = redis.send(request).toCompletionStage().toCompletableFuture().join();
    return StreamSupport.stream(entries.spliterator(), false)
        .mapToLong(entry -> entry.get(2).toLong())
        .max();
  }

  /** The server's CPU time, system and user, in microseconds. */
  double cpuMicros() {
    return info("cpu", "used_cpu_sys") + info("cpu", "used_cpu_user");
  }

  private double info(String section, String field) {
    return 1e6 * Double.parseDouble(text(section, field));
  }

  String version() {
    return text("server", "redis_version");
  }

  /** The version of the only module that is loaded, such as 20408 for 2.4.8. */
  int moduleVersion() {
    return Integer.parseInt(text("modules", "module").replaceAll(".*,ver=(\\d+),.*", "$1"));
  }

  private String text(String section, String field) {
    return call("INFO", List.of(section))
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    redis.close();
  }
}
