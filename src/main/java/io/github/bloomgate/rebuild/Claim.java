package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.ClaimReply.Claimed;
import io.github.bloomgate.store.SourceStore;
import java.time.Instant;

/**
 * A claimed run of a source.
 *
 * @param id the run
 * @param now when it was claimed
 * @param source the source before that, including a run that died
 * @param died the id of the run that died; empty for none
 */
record Claim(FilterName name, String id, Instant now, SourceStatus source, String died) {

  /** Reads the source; fails with FILTER_DAMAGED. */
  static Claim of(FilterName name, String run, Claimed claimed) {
    var before = claimed.before();
    return new Claim(
        name, run, claimed.now(), SourceStore.read(name, before), before.getOrDefault("run", ""));
  }
}
