package io.github.bloomgate.model;

import java.util.OptionalLong;

/**
 * The memory of the store, as far as it tells.
 *
 * @param used what it takes now
 * @param left how many bytes more it takes
 */
public record StoreMemory(OptionalLong used, OptionalLong left) {

  /** That of a store that does not tell. */
  public static final StoreMemory UNKNOWN =
      new StoreMemory(OptionalLong.empty(), OptionalLong.empty());
}
