package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
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
 * schedule. Each method is one script and blocks. Fails as {@link ScriptRunner}. Thread-safe.
 */
@Singleton
public class Agenda {

  private static final List<String> KEYS = List.of(SlotKeys.agenda());

  private final ScriptRunner scripts;

  Agenda(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /** A name whose source may be due. */
  public record Due(FilterName name, long time) {}

  /** Names whose sources may be due, longest due first. */
  public List<Due> due(int most) {
    var reply = call(Integer.toString(most), "", "", "").requireOk();
    var due = new ArrayList<Due>();
    for (var i = 1; i < reply.size(); i += 2) {
      due.add(new Due(new FilterName(reply.text(i)), reply.number(i + 1)));
    }
    return due;
  }

  /** Schedules a check of a source at a time, unless there is an earlier one. */
  public void enter(FilterName name, Instant by) {
    call("", name.value(), "", Long.toString(by.toEpochMilli())).requireOk();
  }

  /**
   * Schedules a check of a source after a time by Redis's clock, unless there is an earlier one.
   */
  public void enterAfter(FilterName name, Duration time) {
    call("", name.value(), "", "+" + time.toMillis()).requireOk();
  }

  /**
   * Moves or removes the next check of a source.
   *
   * @return false, without a change, if another caller has set its time
   */
  public boolean putOff(Due due, Optional<Instant> to) {
    var reply = call("", due.name.value(), Long.toString(due.time), FilterStore.millis(to));
    return switch (reply.status()) {
      case "OK" -> true;
      case "CHANGED" -> false;
      default -> throw reply.unexpectedStatus();
    };
  }

  private ScriptReply call(String most, String name, String time, String newTime) {
    return scripts.call(
        Script.AGENDA, KEYS, request -> request.arg(most).arg(name).arg(time).arg(newTime));
  }
}
