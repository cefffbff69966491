package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The times at which to check the sources of filters. Only a hint: each source has its own
 * schedule. Each method is one script and blocks. Fails as {@link ScriptRunner}, and with
 * WRONG_KEY_TYPE. Thread-safe.
 */
@Singleton
public class Agenda {

  private static final List<String> KEYS = List.of(Keys.agenda());

  private final ScriptRunner scripts;

  Agenda(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /** A name, and when to check its source. */
  public record Due(FilterName name, long time) {}

  /** Names whose sources may be due, longest due first. */
  public List<Due> due(int most) {
    return list(new Arguments().add(most).add(""));
  }

  /** Names by their times, also those whose sources are not due, after skipping some. */
  public List<Due> from(int skipped, int most) {
    return list(new Arguments().add(most).add(skipped));
  }

  private List<Due> list(Arguments which) {
    var reply = call(which.add("").add("")).requireOk();
    var listed = new ArrayList<Due>();
    for (var i = 1; i < reply.size(); i += 2) {
      listed.add(due(reply.text(i), reply.text(i + 1)));
    }
    return listed;
  }

  /** A member of the agenda, which another program may have added. */
  private static Due due(String name, String time) {
    try {
      return new Due(new FilterName(name), (long) Double.parseDouble(time));
    } catch (BloomException | NumberFormatException invalid) {
      throw StoreErrors.wrongKeyType(Keys.agenda());
    }
  }

  /** Schedules a check of a source at a time, unless there is an earlier one. */
  public void enter(FilterName name, Instant by) {
    call(new Arguments().add("").add(name.value()).add("").add(by.toEpochMilli())).requireOk();
  }

  /**
   * Schedules a check of a source after a time by Redis's clock, unless there is an earlier one.
   */
  public void enterAfter(FilterName name, Duration time) {
    call(new Arguments().add("").add(name.value()).add("").add("+" + time.toMillis())).requireOk();
  }

  /**
   * Moves or removes the next check of a source.
   *
   * @return false, without a change, if another caller has set its time
   */
  public boolean putOff(Due due, Optional<Instant> to) {
    var reply = call(new Arguments().add("").add(due.name.value()).add(due.time).add(to));
    return switch (reply.status()) {
      case "OK" -> true;
      case "CHANGED" -> false;
      default -> throw reply.unexpectedStatus();
    };
  }

  private ScriptReply call(Arguments arguments) {
    var reply = await(scripts.send(new ScriptCall(Script.AGENDA, Effect.WRITE, KEYS, arguments)));
    if (reply.status().equals("WRONG_TYPE")) {
      throw StoreErrors.wrongKeyType(Keys.agenda());
    }
    return reply;
  }
}
