package io.github.bloomgate.elements;

import io.github.bloomgate.store.StoredGeneration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a round found out about generations and segments from the replies to its calls. */
final class RoundFindings {

  /** Before the calls. */
  private final Moment begun = Moment.now();

  private final Set<StoredGeneration> changed = new HashSet<>();
  private final Map<StoredGeneration, RuntimeException> failures = new HashMap<>();
  private final Set<HeldSegment> toFold = new LinkedHashSet<>();

  Moment begun() {
    return begun;
  }

  /** Records that a generation has another version. */
  void noteChanged(StoredGeneration generation) {
    changed.add(generation);
  }

  boolean isChanged(StoredGeneration generation) {
    return changed.contains(generation);
  }

  /** Records why a segment of a generation has no reply, or is missing or malformed. */
  void noteFailure(StoredGeneration generation, RuntimeException failure) {
    failures.put(generation, failure);
  }

  Optional<RuntimeException> failure(StoredGeneration generation) {
    return Optional.ofNullable(failures.get(generation));
  }

  /** Records that a segment has a long journal. */
  void noteLong(HeldSegment some) {
    toFold.add(some);
  }

  Set<HeldSegment> toFold() {
    return toFold;
  }
}
