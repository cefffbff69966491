package io.github.bloomgate.hash;

import java.util.List;
import java.util.Optional;

/**
 * The list of all hash schemes, by the id that filters store. An id, once released, stays in the
 * list and always means the same bits.
 */
public final class HashSchemes {

  private static final HashScheme NATIVE = new Bloomgate1();

  /** Of a scheme with several codecs, the default one comes first. */
  private static final List<HashScheme> ALL =
      List.of(
          NATIVE,
          Bloomgate1Keyed.OF_NO_FILTER,
          new GoZero(),
          new GuavaMitz32(),
          new GuavaMitz64(),
          GuavaOnRedis.writingTwice(),
          GuavaOnRedis.writingOnce(),
          new BitsAndBlooms(),
          Redisson.ofStrings(),
          Redisson.ofKryo5(),
          new ScrapyRedis(),
          new RedisBloom(),
          new Rueidis());

  private static final List<String> IDS = ids(ALL);

  private HashSchemes() {}

  /** The scheme of filters that name none, {@code bloomgate-1}. */
  public static HashScheme nativeScheme() {
    return NATIVE;
  }

  /**
   * The scheme {@code bloomgate-1-keyed} of a filter.
   *
   * @param origin what its key is derived from, as stored
   * @param key 32 bytes; empty if the secret is not known, when it locates nothing
   */
  public static HashScheme keyed(KeyOrigin origin, Optional<byte[]> key) {
    return key.map(bytes -> Bloomgate1Keyed.withKey(origin, bytes))
        .orElseGet(() -> Bloomgate1Keyed.withoutKey(origin));
  }

  /**
   * The scheme with this id, with its default codec if it has several.
   *
   * @param id compared exactly, case included
   * @return empty if there is none; of a keyed scheme the one of no filter
   */
  public static Optional<HashScheme> named(String id) {
    return ALL.stream().filter(scheme -> scheme.id().equals(id)).findFirst();
  }

  /**
   * The scheme with this id and codec.
   *
   * @param id compared exactly, case included
   * @param elementCodec compared exactly; empty only for a scheme without codecs
   * @return empty if there is none
   */
  public static Optional<HashScheme> named(String id, Optional<String> elementCodec) {
    return ALL.stream()
        .filter(scheme -> scheme.id().equals(id) && scheme.elementCodec().equals(elementCodec))
        .findFirst();
  }

  /** The ids of all schemes, the native ones first. */
  public static List<String> ids() {
    return IDS;
  }

  /** The element codecs of the scheme with this id, the default first; empty if it has none. */
  public static List<String> elementCodecs(String id) {
    return ALL.stream()
        .filter(scheme -> scheme.id().equals(id))
        .flatMap(scheme -> scheme.elementCodec().stream())
        .toList();
  }

  private static List<String> ids(List<HashScheme> schemes) {
    return schemes.stream().map(HashScheme::id).distinct().toList();
  }
}
