package io.github.bloomgate.model;

import io.github.bloomgate.hash.HashScheme;
import java.util.Optional;

/**
 * The Redis key under which another library keeps the bitmap of a filter. Its clients may write to
 * it at any time, so its bits are never cached.
 *
 * @param redisKey the key of the bitmap
 * @param companionKey the library's additional key, if any: a hash with the shape, or a counter of
 *     elements
 */
public record AdoptedKey(String redisKey, Optional<String> companionKey) {

  /** The key of a bitmap and the companion key of the scheme's library. */
  public static AdoptedKey of(HashScheme scheme, String redisKey) {
    return new AdoptedKey(
        redisKey, scheme.configKey(redisKey).or(() -> scheme.counterKey(redisKey)));
  }
}
