package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.model.Filter;

/** Whether a filter takes and answers elements. */
public enum FilterState {
  /** It does. */
  @JsonProperty("ready")
  READY,
  /** Its segments are being made; it will. */
  @JsonProperty("creating")
  CREATING,
  /** Part of it is missing in Redis; it does not until it is deleted and created again. */
  @JsonProperty("damaged")
  DAMAGED;

  public static FilterState of(Filter filter) {
    return filter.isReady() ? READY : CREATING;
  }
}
