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
 * The names whose later segments may still have to follow a change. A name is noted before the
 * change and struck off when all segments have followed, so that work cut short by a crash is found
 * and finished by whichever instance looks next.
 */
@ApplicationScoped
public class UnsettledFilters {

  /**
   * That a name was noted.
   *
   * @param name the name
   * @param at when, in Unix milliseconds; at each further note of a name that is still noted it is
   *     one more, so that nobody strikes off the note of another
   */
  public record Note(FilterName name, long at) {}

  private static final int MOST_LISTED = 100;

  private final ScriptRunner scripts;

  UnsettledFilters(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /** Notes a name. Works where Redis has no memory left, so that filters can be deleted. */
  public Uni<Note> note(FilterName name, Instant now) {
    return scripts
        .run(
            Script.NOTE,
            List.of(Keys.UNSETTLED),
            request -> request.arg(name.value()).arg(now.toEpochMilli()))
        .invoke(UnsettledFilters::expectOk)
        .map(reply -> new Note(name, reply.number(1)));
  }

  /** Strikes off a name unless it was noted again since. */
  public Uni<Void> strikeOff(Note note) {
    return settled(note, "");
  }

  /** Leaves a name noted, whoever else would strike it off, to be looked at again after others. */
  public Uni<Void> postpone(Note note, Instant now) {
    return settled(note, Long.toString(now.toEpochMilli()));
  }

  private Uni<Void> settled(Note note, String lookAgain) {
    return scripts
        .run(
            Script.SETTLED,
            List.of(Keys.UNSETTLED),
            request -> request.arg(note.name().value()).arg(note.at()).arg(lookAgain))
        .invoke(UnsettledFilters::expectOk)
        .replaceWithVoid();
  }

  /** Names noted before the given time, oldest first, 100 at most. */
  public Uni<List<Note>> notedBefore(Instant time) {
    return scripts
        .run(
            Script.NOTED,
            List.of(Keys.UNSETTLED),
            request -> request.arg(time.toEpochMilli()).arg(MOST_LISTED))
        .invoke(UnsettledFilters::expectOk)
        .map(
            reply ->
                reply.fields(1).entrySet().stream()
                    .map(
                        noted ->
                            new Note(
                                new FilterName(noted.getKey()), Long.parseLong(noted.getValue())))
                    .toList());
  }

  private static void expectOk(ScriptReply reply) {
    if (!reply.status().equals("OK")) {
      throw reply.unexpectedStatus();
    }
  }
}
