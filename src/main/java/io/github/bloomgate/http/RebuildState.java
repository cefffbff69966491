package io.github.bloomgate.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.model.Filter;

/** How far a rebuild is. */
enum RebuildState {
  /** Its segments are being made; adds do not go to it yet. */
  @JsonProperty("opening")
  OPENING,
  /** It can be loaded, and every add goes to it as well. */
  @JsonProperty("open")
  OPEN;

  static RebuildState of(Filter next) {
    return next.isReady() ? OPEN : OPENING;
  }
}
