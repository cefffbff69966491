package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** Calls of the scripts of a filter without a rebuild. */
abstract class FilterCalls extends OnSlotRedis {

  FilterName name;

  @BeforeEach
  void choose() {
    name = name();
  }

  StoredGeneration withSegments(int... indexes) {
    var live = live(name);
    for (var index : indexes) {
      appended(live, index, Known.NOTHING_YET);
    }
    return live;
  }

  ChangeReply expire(Optional<Instant> deadline) {
    return filters.expire(name, found(name).state(), deadline, Optional.empty());
  }

  ChangeReply clear() {
    return filters.clear(
        name,
        found(name).state().version(),
        random(),
        new ContentId(name, random()),
        Optional.empty());
  }

  ChangeReply delete() {
    var state = found(name).state();
    return filters.delete(
        name,
        state.version(),
        Optional.of(state.content()),
        state.written(),
        false,
        false,
        Optional.empty());
  }

  ChangeReply delete(String version, ContentId content, Written written) {
    return filters.delete(
        name, version, Optional.of(content), written, false, false, Optional.empty());
  }
}
