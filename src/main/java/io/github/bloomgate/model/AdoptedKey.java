package io.github.bloomgate.model;

import io.github.bloomgate.hash.HashScheme;
import java.util.Optional;

/**
 * The Redis key under which another library keeps the bitmap of a filter. Others may write it at
 * any time, so nothing is remembered of its bits.
 *
 * @param redisKey the bitmap
 * @param configKey the hash beside it that holds the shape, where the library has one
 */
public record AdoptedKey(String redisKey, Optional<String> configKey) {

  /** The key of a bitmap of a scheme's library, with the hash that it keeps beside it. */
  public static AdoptedKey of(HashScheme scheme, String redisKey) {
    return new AdoptedKey(redisKey, scheme.configKey(redisKey));
  }
}
