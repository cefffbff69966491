package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.OptionalLong;

/**
 * The memory of Redis; empty if it does not report it.
 *
 * @param used bytes in use
 * @param left bytes until its limit
 */
public record StoreMemory(
    @JsonProperty("usedBytes") OptionalLong used, @JsonProperty("leftBytes") OptionalLong left) {

  public static final StoreMemory UNKNOWN =
      new StoreMemory(OptionalLong.empty(), OptionalLong.empty());
}
