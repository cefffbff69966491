package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.model.Filter;

/** How far a rebuild is. */
public enum RebuildState {
  /** Its segments are being made; adds do not go to it yet. */
  @JsonProperty("opening")
  OPENING,
  /** It can be loaded, and every add goes to it as well. */
  @JsonProperty("open")
  OPEN;

  public static RebuildState of(Filter next) {
    return next.isReady() ? OPEN : OPENING;
  }
}
