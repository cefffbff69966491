package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The index of filters whose sources are read by themselves, by the time of the next look.
 *
 * <p>It lives in a slot of its own, so it cannot change in the same script as a source, which alone
 * knows when it is due. So a name may be listed too early or for nothing; whoever looks then mends
 * it. It is entered before a source changes and again after, and so never missing.
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
  public Uni<Void> enter(FilterName name, Instant at) {
    return scripts
        .run(
            Script.SCHEDULE,
            List.of(Keys.SCHEDULE),
            request -> request.arg(name.value()).arg(at.toEpochMilli()))
        .invoke(SourceAgenda::expectOk)
        .replaceWithVoid();
  }

  /** The names to be looked at now, by the clock of Redis, 100 at most. */
  public Uni<List<Entry>> due() {
    return scripts
        .run(Script.DUE, List.of(Keys.SCHEDULE), request -> request.arg(MOST_LISTED))
        .invoke(SourceAgenda::expectOk)
        .map(
            reply ->
                reply.fields(1).entrySet().stream()
                    .map(
                        listed ->
                            new Entry(
                                new FilterName(listed.getKey()), Long.parseLong(listed.getValue())))
                    .toList());
  }

  /** Moves an entry to a later time, or takes it off, unless it was entered again meanwhile. */
  public Uni<Void> reschedule(Entry entry, Optional<Instant> next) {
    return scripts
        .run(
            Script.RESCHEDULE,
            List.of(Keys.SCHEDULE),
            request ->
                request
                    .arg(entry.name().value())
                    .arg(entry.at())
                    .arg(next.map(at -> Long.toString(at.toEpochMilli())).orElse("")))
        .invoke(SourceAgenda::expectOk)
        .replaceWithVoid();
  }

  private static void expectOk(ScriptReply reply) {
    if (!reply.status().equals("OK")) {
      throw reply.unexpectedStatus();
    }
  }
}
