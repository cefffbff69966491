package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The treatment of a new element in a filter at capacity. */
public enum WhenFull {
  /** Adds it; the false-positive rate rises above the requested one. */
  @JsonProperty("accept")
  ACCEPT,
  /** Refuses it with FILTER_FULL; known elements are still reported as such. */
  @JsonProperty("reject")
  REJECT,
  /** Adds it to another layer, see {@link Growth}; refuses it at the size limit. */
  @JsonProperty("grow")
  GROW
}
