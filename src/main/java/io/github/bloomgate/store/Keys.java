package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The names of all keys. The keys of one filter share a hash tag, so they are in one cluster slot.
 */
public final class Keys {

  /** The beginning of all keys of the service, which no other client may use. */
  public static final String PREFIX = "bloom:";

  // Names of filters do not begin with '='.
  private static final String CATALOGUE = PREFIX + "{=names}";

  private Keys() {}

  public static String state(FilterName name) {
    return PREFIX + "{" + name + "}";
  }

  /** The state of the generation that a rebuild loads. */
  public static String next(FilterName name) {
    return state(name) + ":next";
  }

  public static String source(FilterName name) {
    return state(name) + ":source";
  }

  public static String segment(ContentId content, int segment) {
    return state(content.keyName()) + ":" + content.incarnation() + ":" + segment;
  }

  /** A fresh key for a string of a segment, before it replaces the segment. */
  static String fold(ContentId content, int segment) {
    var id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    return segment(content, segment) + ":fold:" + id;
  }

  /** The names of all filters, a sorted set. */
  static String names() {
    return CATALOGUE;
  }

  /** The entries of names and the totals of owners, a hash. */
  public static String usage() {
    return CATALOGUE + ":usage";
  }

  /** The times to check sources, a sorted set. */
  static String agenda() {
    return CATALOGUE + ":agenda";
  }

  /** The names with an expiry, a sorted set. */
  static String deadlines() {
    return CATALOGUE + ":deadlines";
  }
}
