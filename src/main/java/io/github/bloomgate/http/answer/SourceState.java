package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.model.source.SourceStatus;

/** The state of a source. */
public enum SourceState {
  /** It is being read. */
  @JsonProperty("running")
  RUNNING,
  /** The last run failed and did not change the content. */
  @JsonProperty("failed")
  FAILED,
  /** The last run succeeded, or there was none yet. */
  @JsonProperty("ok")
  OK;

  static SourceState of(SourceStatus status) {
    if (status.run().isPresent()) {
      return RUNNING;
    }
    return status.lastRun().flatMap(run -> run.failure()).isPresent() ? FAILED : OK;
  }
}
