package io.github.bloomgate.model;

import java.util.OptionalLong;

/**
 * The memory of Redis; empty if it does not report it.
 *
 * @param used bytes in use
 * @param left bytes until its limit
 */
public record StoreMemory(OptionalLong used, OptionalLong left) {

  public static final StoreMemory UNKNOWN =
      new StoreMemory(OptionalLong.empty(), OptionalLong.empty());
}
