package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When to look at the sources of which names. It is a hint: each source tells when it is due. Each
 * method is one script, and waits for its reply. Failures are those of {@link ScriptRunner}.
 * Thread-safe.
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

  /** Lists names whose sources may be due, longest due first. */
  public List<Due> due(int most) {
    var reply = call(Integer.toString(most), "", "", "").requireOk();
    var due = new ArrayList<Due>();
    for (var i = 1; i < reply.size(); i += 2) {
      due.add(new Due(new FilterName(reply.text(i)), reply.number(i + 1)));
    }
    return due;
  }

  /** Has the source of a name looked at by a certain time, or earlier. */
  public void enter(FilterName name, Instant by) {
    call("", name.value(), "", Long.toString(by.toEpochMilli())).requireOk();
  }

  /**
   * Has a source looked at again at another time, or not at all.
   *
   * @return false if another caller has set its time, which is unchanged then
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
