package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestLink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Changes of a filter during which Redis is killed. */
abstract class CrashCalls extends SlotScripts {

  static final Duration AN_HOUR = Duration.ofHours(1);

  FilterName name;
  FilterName newName;

  /** The position up to which a fold contains the first segment. */
  Known folded;

  ChangeReply expire(Optional<java.time.Instant> deadline) {
    return expire(name, deadline);
  }

  ChangeReply clear() {
    return clear(found(name).state());
  }

  ChangeReply clear(FilterState known) {
    return filters.clear(name, known, random(), new ContentId(name, random()), Optional.empty());
  }

  ChangeReply rename(RemovedFilter replaced) {
    return filters.rename(name, newName, live(name).version(), false, List.of(), replaced);
  }

  ChangeReply open() {
    var next = state(name, Optional.empty());
    return rebuilds.open(name, live(name).version(), random(), loading(next, AN_HOUR, ""));
  }

  ChangeReply commit() {
    return commit(name, found(name).state());
  }

  ChangeReply abort() {
    var incarnation = found(name).state().next().orElseThrow();
    return rebuilds.abort(name, live(name).version(), random(), incarnation, true, "");
  }

  FoldReply fold() {
    var bytes = SegmentText.folded(LAYOUT, folded.position(), folded.mark());
    var fold = folding(live(name), 0, LAYOUT, folded, 0, bytes);
    return TestLink.await(segments.fold(fold));
  }
}
