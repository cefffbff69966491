package io.github.bloomgate.store;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.function.UnaryOperator;

/** Reads one key by a plain command. Fails as {@link RedisLink#send}. */
record PlainRead(RedisLink link, String key) {

  /**
   * Sends a command. Fails with WRONG_KEY_TYPE, which names the key, if the key holds another type.
   *
   * @param arguments adds the arguments after the key
   */
  Uni<Response> send(Command command, UnaryOperator<Request> arguments) {
    return link.send(arguments.apply(Request.cmd(command).arg(key)), Effect.READ)
        .onFailure(ErrorCode.WRONG_KEY_TYPE::isOf)
        .transform(unnamed -> StoreErrors.wrongKeyType(key));
  }
}
