package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a rebuild. */
public enum RebuildState {
  /** It can be loaded, and every add goes to it too. */
  @JsonProperty("open")
  OPEN
}
