package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** Calls of the scripts of a filter without a rebuild. */
abstract class FilterCalls extends SlotScripts {

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
    return expire(name, deadline);
  }

  /** Clears the filter, by a caller that knows no segment. */
  ChangeReply clear() {
    return clear(Written.NONE);
  }

  ChangeReply clear(Written known) {
    return clear(name, known);
  }

  ChangeReply delete() {
    var state = found(name).state();
    return filters.delete(name, RemovedFilter.of(state, Optional.empty()), Optional.empty());
  }

  ChangeReply delete(String version, ContentId content, Written written) {
    return delete(name, version, content, written);
  }
}
