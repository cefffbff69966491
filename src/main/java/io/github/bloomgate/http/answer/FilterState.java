package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a filter takes and answers elements. */
public enum FilterState {
  /** It does. */
  @JsonProperty("ready")
  READY,
  /** Part of it is missing in Redis; it does not until it is deleted and created again. */
  @JsonProperty("damaged")
  DAMAGED
}
