package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a filter can be used. */
public enum FilterState {
  @JsonProperty("ready")
  READY,
  /** Part of it is missing in Redis; it must be deleted and created again. */
  @JsonProperty("damaged")
  DAMAGED
}
