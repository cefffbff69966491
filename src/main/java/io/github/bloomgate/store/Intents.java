package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;

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
  public Uni<Intent> intend(FilterName name, Instant now) {
    return scripts
        .run(
            Script.INTEND,
            List.of(Keys.UNSETTLED),
            request -> request.arg(name.value()).arg(now.toEpochMilli()))
        .invoke(Intents::expectOk)
        .map(reply -> new Intent(name, reply.number(1)));
  }

  /** Strikes off a name unless it was noted again since. */
  public Uni<Void> strikeOff(Intent intent) {
    return resolve(intent, "");
  }

  /** Leaves a name noted, whoever else would strike it off, to be looked at again after others. */
  public Uni<Void> postpone(Intent intent, Instant now) {
    return resolve(intent, Long.toString(now.toEpochMilli()));
  }

  private Uni<Void> resolve(Intent intent, String lookAgain) {
    return scripts
        .run(
            Script.RESOLVE,
            List.of(Keys.UNSETTLED),
            request -> request.arg(intent.name().value()).arg(intent.at()).arg(lookAgain))
        .invoke(Intents::expectOk)
        .replaceWithVoid();
  }

  /** Names noted before the given time, oldest first, 100 at most. */
  public Uni<List<Intent>> notedBefore(Instant time) {
    return scripts
        .run(
            Script.INTENTS,
            List.of(Keys.UNSETTLED),
            request -> request.arg(time.toEpochMilli()).arg(MOST_LISTED))
        .invoke(Intents::expectOk)
        .map(
            reply ->
                reply.fields(1).entrySet().stream()
                    .map(
                        noted ->
                            new Intent(
                                new FilterName(noted.getKey()), Long.parseLong(noted.getValue())))
                    .toList());
  }

  private static void expectOk(ScriptReply reply) {
    if (!reply.status().equals("OK")) {
      throw reply.unexpectedStatus();
    }
  }
}
