package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Singleton;

/** The storage layout of development versions, which this version does not read. */
@Singleton
public class FormerLayout {

  /** The key that every Redis with filters in that layout has. */
  public static final String CATALOGUE = "bloom:catalogue";

  private final RedisLink link;

  public FormerLayout(RedisLink link) {
    this.link = link;
  }

  /** Whether Redis has filters in that layout. Fails as {@link RedisLink#send} does. */
  public boolean isInUse() {
    var request = Request.cmd(Command.EXISTS).arg(CATALOGUE);
    return await(link.send(request, Effect.READ)).toInteger() == 1;
  }
}
