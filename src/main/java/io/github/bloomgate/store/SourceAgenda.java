package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The index of filters whose sources are read by themselves, by the time of the next look.
 *
 * <p>It lives in a slot of its own, so it cannot change in the same script as a source, which alone
 * knows when it is due. So a name may be listed too early or for nothing; the instance that looks
 * then mends it. It is entered before a source changes and again after, and so never missing.
 */
@ApplicationScoped
public class SourceAgenda {

  private static final int MOST_LISTED = 100;

  private final ScriptRunner scripts;

  SourceAgenda(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /**
   * That a source shall be looked at.
   *
   * @param name the filter's name
   * @param at when, in Unix milliseconds
   */
  public record Entry(FilterName name, long at) {}

  /** Has a source looked at by a certain time, or earlier if it is listed so. */
  public void enter(FilterName name, Instant at) {
    call(Script.SCHEDULE, request -> request.arg(name.value()).arg(at.toEpochMilli()));
  }

  /** The names to be looked at now, by the clock of Redis, 100 at most. */
  public List<Entry> due() {
    var reply = call(Script.DUE, request -> request.arg(MOST_LISTED));
    return reply.fields(1).entrySet().stream()
        .map(
            listed -> new Entry(new FilterName(listed.getKey()), Long.parseLong(listed.getValue())))
        .toList();
  }

  /** Moves an entry to a later time, or takes it off, unless it was entered again meanwhile. */
  public void reschedule(Entry entry, Optional<Instant> next) {
    call(
        Script.RESCHEDULE,
        request ->
            request
                .arg(entry.name().value())
                .arg(entry.at())
                .arg(next.map(at -> Long.toString(at.toEpochMilli())).orElse("")));
  }

  private ScriptReply call(Script script, Consumer<Request> arguments) {
    return scripts.call(script, List.of(Keys.SCHEDULE), arguments).requireOk();
  }
}
