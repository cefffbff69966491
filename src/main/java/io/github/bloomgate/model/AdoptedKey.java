package io.github.bloomgate.model;

import io.github.bloomgate.hash.HashScheme;
import java.util.Optional;

/**
 * The Redis key under which another library keeps the bitmap of a filter. Others may write it at
 * any time, so nothing is remembered of its bits.
 *
 * @param redisKey the bitmap
 * @param companionKey what the library keeps beside it, if anything: a hash that holds the shape,
 *     or a counter of elements
 */
public record AdoptedKey(String redisKey, Optional<String> companionKey) {

  /** The key of a bitmap of a scheme's library, with what that keeps beside it. */
  public static AdoptedKey of(HashScheme scheme, String redisKey) {
    return new AdoptedKey(
        redisKey, scheme.configKey(redisKey).or(() -> scheme.counterKey(redisKey)));
  }
}
