package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How far a rebuild is. */
public enum RebuildState {
  /** It can be loaded, and every add goes to it as well. */
  @JsonProperty("open")
  OPEN
}
