package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** Calls of the scripts of a rebuild, and a filter for them. */
abstract class RebuildCalls extends SlotScripts {

  FilterName name;

  @BeforeEach
  void create() {
    name = name();
    created(name);
  }

  ChangeReply open(String version, Duration maxWait, String run) {
    var next = state(name, Optional.empty());
    return rebuilds.open(name, version, random(), loading(next, maxWait, run));
  }

  ChangeReply commit(String version, FilterState next, String run, NewExpiry deadline) {
    return rebuilds.commit(
        name,
        version.isEmpty() ? Optional.empty() : Optional.of(known(name, version, !run.isEmpty())),
        random(),
        next,
        List.of(),
        run,
        deadline,
        Optional.empty());
  }

  ChangeReply commit() {
    return commit(live(name).version(), nextState(), "", NewExpiry.KEEP);
  }

  FilterState nextState() {
    return found(name).next().orElseThrow();
  }

  /** The number of elements loaded into the open rebuild. */
  long received() {
    return nextState().loading().orElseThrow().received();
  }

  ChangeReply abort(String incarnation, boolean hasNext, String run) {
    return rebuilds.abort(name, live(name).version(), random(), incarnation, hasNext, run);
  }

  /** When the open rebuild expires without a load. */
  Instant ends() {
    return nextState().expiresAt().orElseThrow();
  }

  void attach(String run) {
    sources.attach(name, "x", Optional.empty());
    sources.claim(name, run, AN_HOUR, SourceStore.When.NOW);
  }
}
