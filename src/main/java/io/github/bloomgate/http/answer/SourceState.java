package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.model.source.SourceStatus;

/** How the source of a filter is. */
public enum SourceState {
  /** It is being read. */
  @JsonProperty("running")
  RUNNING,
  /** The last run failed, and left the content as it was. */
  @JsonProperty("failed")
  FAILED,
  /** The last run did not fail, or there was none yet. */
  @JsonProperty("ok")
  OK;

  static SourceState of(SourceStatus status) {
    if (status.run().isPresent()) {
      return RUNNING;
    }
    return status.lastRun().flatMap(run -> run.failure()).isPresent() ? FAILED : OK;
  }
}
