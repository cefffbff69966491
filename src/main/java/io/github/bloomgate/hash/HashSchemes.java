package io.github.bloomgate.hash;

import java.util.List;
import java.util.Optional;

/**
 * All hash schemes, by the id that filters store. A released id is never removed and always gives
 * the same bits.
 */
public final class HashSchemes {

  private static final HashScheme NATIVE = new Bloomgate1();

  /** The default codec of a scheme comes first. */
  static final List<HashScheme> ALL =
      List.of(
          NATIVE,
          Bloomgate1Keyed.OF_NO_FILTER,
          new GoZero(),
          new GuavaMitz32(),
          new GuavaMitz64(),
          new GuavaOnRedis("guava-redis-helper", true),
          new GuavaOnRedis("guava-redis-helper-once", false),
          new BitsAndBlooms(),
          new Redisson("string"),
          new Redisson(Redisson.KRYO5),
          new ScrapyRedis(),
          new RedisBloom(),
          new Rueidis());

  private HashSchemes() {}

  /** The default scheme, {@code bloomgate-1}. */
  public static HashScheme nativeScheme() {
    return NATIVE;
  }

  /**
   * The scheme {@code bloomgate-1-keyed} of a filter.
   *
   * @param origin the origin of the key, as stored
   * @param key 32 bytes; empty if the secret is unknown, so that {@code locate} fails
   */
  public static HashScheme keyed(KeyOrigin origin, Optional<byte[]> key) {
    return new Bloomgate1Keyed(origin, key);
  }

  /**
   * The scheme with an id and the default codec.
   *
   * @param id case-sensitive
   * @return empty if there is none; a keyed scheme has no filter yet
   */
  public static Optional<HashScheme> named(String id) {
    return ALL.stream().filter(scheme -> scheme.id().equals(id)).findFirst();
  }

  /**
   * The scheme with an id and codec.
   *
   * @param id case-sensitive
   * @param elementCodec case-sensitive; empty only for a scheme without codecs
   * @return empty if there is none
   */
  public static Optional<HashScheme> named(String id, Optional<String> elementCodec) {
    return ALL.stream()
        .filter(scheme -> scheme.id().equals(id) && scheme.elementCodec().equals(elementCodec))
        .findFirst();
  }

  /** The ids of all schemes, native ones first. */
  public static List<String> ids() {
    return ALL.stream().map(HashScheme::id).distinct().toList();
  }

  /** The element codecs of a scheme, default first; empty if it has none. */
  public static List<String> elementCodecs(String id) {
    return ALL.stream()
        .filter(scheme -> scheme.id().equals(id))
        .flatMap(scheme -> scheme.elementCodec().stream())
        .toList();
  }
}
