package io.github.bloomgate.hash;

import java.util.List;
import java.util.Optional;

/**
 * The list of all hash schemes, by the id that filters store. An id, once released, stays in the
 * list and always means the same bits.
 */
public final class HashSchemes {

  private static final HashScheme NATIVE = new Bloomgate1();
  private static final List<HashScheme> ALL = List.of(NATIVE);
  private static final List<String> IDS = ALL.stream().map(HashScheme::id).toList();

  private HashSchemes() {}

  /** The scheme of filters that name none, {@code bloomgate-1}. */
  public static HashScheme nativeScheme() {
    return NATIVE;
  }

  /**
   * The scheme with this id.
   *
   * @param id compared exactly, case included
   * @return empty if there is none
   */
  public static Optional<HashScheme> named(String id) {
    return ALL.stream().filter(scheme -> scheme.id().equals(id)).findFirst();
  }

  /** The ids of all schemes, the native one first. */
  public static List<String> ids() {
    return IDS;
  }
}
