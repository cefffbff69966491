package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * The names whose later segments may still have to follow a change. A name is recorded before the
 * change and struck off when all segments have followed, so that work cut short by a crash is found
 * and finished by whichever instance looks next.
 */
@ApplicationScoped
public class Intents {

  /**
   * That a name was recorded.
   *
   * @param name the name
   * @param at when, in Unix milliseconds; each time a name is recorded again it is one more, so
   *     that nobody strikes off the intent of another
   */
  public record Intent(FilterName name, long at) {}

  private static final int MOST_LISTED = 100;

  private final ScriptRunner scripts;

  Intents(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /** Records a name. Works where Redis has no memory left, so that filters can be deleted. */
  public Intent intend(FilterName name, Instant now) {
    var reply = call(Script.INTEND, request -> request.arg(name.value()).arg(now.toEpochMilli()));
    return new Intent(name, reply.number(1));
  }

  /** Strikes off a name unless it was noted again since. */
  public void strikeOff(Intent intent) {
    resolve(intent, "");
  }

  /**
   * Leaves a name noted, even if another would strike it off, to be looked at again after others.
   */
  public void postpone(Intent intent, Instant now) {
    resolve(intent, Long.toString(now.toEpochMilli()));
  }

  private void resolve(Intent intent, String lookAgain) {
    call(
        Script.RESOLVE,
        request -> request.arg(intent.name().value()).arg(intent.at()).arg(lookAgain));
  }

  /** Names noted before the given time, oldest first, 100 at most. */
  public List<Intent> notedBefore(Instant time) {
    var reply = call(Script.INTENTS, request -> request.arg(time.toEpochMilli()).arg(MOST_LISTED));
    return reply.fields(1).entrySet().stream()
        .map(noted -> new Intent(new FilterName(noted.getKey()), Long.parseLong(noted.getValue())))
        .toList();
  }

  private ScriptReply call(Script script, Consumer<Request> arguments) {
    return scripts.call(script, List.of(Keys.UNSETTLED), arguments).requireOk();
  }
}
