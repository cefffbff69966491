package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a filter does with a new element once it holds its expected insertions. */
public enum WhenFull {
  /** Takes it; the false-positive rate rises above the promised one. */
  @JsonProperty("accept")
  ACCEPT,
  /** Refuses it with FILTER_FULL; elements it already holds are still answered. */
  @JsonProperty("reject")
  REJECT,
  /** Opens another layer for it, see {@link Growth}; at its bound it refuses it. */
  @JsonProperty("grow")
  GROW
}
