package io.github.bloomgate.support;

import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.Dependent;
import java.time.Duration;

/** Sends commands directly to the Redis of the service under test. */
@Dependent
public class RawRedis {

  private final RedisLink link;

  RawRedis(RedisLink link) {
    this.link = link;
  }

  /**
   * Runs a command whose arguments are bytes or converted to text. Returns null for a nil reply.
   */
  public Response run(String command, Object... arguments) {
    var request = Request.cmd(Command.create(command));
    for (var argument : arguments) {
      if (argument instanceof byte[] bytes) {
        request.arg(Buffer.buffer(bytes));
      } else {
        request.arg(argument.toString());
      }
    }
    return link.send(request, Effect.WRITE).await().atMost(Duration.ofMinutes(2));
  }

  /** The port on loopback for other clients. */
  public int port() {
    return run("CONFIG", "GET", "port").get("port").toInteger();
  }

  /** The password for other clients. */
  public String password() {
    return run("CONFIG", "GET", "requirepass").get("requirepass").toString();
  }
}
