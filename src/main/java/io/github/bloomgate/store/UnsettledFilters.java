package io.github.bloomgate.store;

import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;

/**
 * The names whose later segments may still have to follow a change. A name is noted before the
 * change and struck off when all segments have followed, so that work cut short by a crash is found
 * and finished by whichever instance looks next.
 */
@ApplicationScoped
public class UnsettledFilters {

  private final RedisLink redis;
  private final ScriptRunner scripts;

  UnsettledFilters(RedisLink redis, ScriptRunner scripts) {
    this.redis = redis;
    this.scripts = scripts;
  }

  /** Notes a name; a later time replaces an earlier one. */
  public Uni<Void> note(FilterName name, Instant now) {
    var request =
        Request.cmd(Command.ZADD)
            .arg(Keys.UNSETTLED)
            .arg("GT")
            .arg(now.toEpochMilli())
            .arg(name.value());
    return redis.send(request, Effect.WRITE).replaceWithVoid();
  }

  /** Strikes off a name unless it was noted again after the given time. */
  public Uni<Void> strikeOff(FilterName name, Instant noted) {
    return scripts
        .run(
            Script.SETTLED,
            List.of(Keys.UNSETTLED),
            request -> request.arg(name.value()).arg(noted.toEpochMilli()))
        .replaceWithVoid();
  }

  /** Names noted before the given time, oldest first, 100 at most. */
  public Uni<List<FilterName>> notedBefore(Instant time) {
    var request =
        Request.cmd(Command.ZRANGE)
            .arg(Keys.UNSETTLED)
            .arg("-inf")
            .arg("(" + time.toEpochMilli())
            .arg("BYSCORE")
            .arg("LIMIT")
            .arg(0)
            .arg(100);
    return redis.send(request, Effect.READ).map(UnsettledFilters::names);
  }

  private static List<FilterName> names(Response response) {
    return response.stream().map(name -> new FilterName(name.toString())).toList();
  }
}
