package io.github.bloomgate.http.security;

import io.github.bloomgate.model.Quota;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Parses the quota in the line of a key: {@code maxFilters=<number>} and {@code
 * maxBytes=<number>[K|M|G|T]}.
 */
public final class KeyQuota {

  public static final String MAX_FILTERS = "maxFilters=";

  public static final String MAX_BYTES = "maxBytes=";

  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,17}");
  private static final Pattern BYTES = Pattern.compile("[1-9][0-9]{0,17}[KMGT]?");

  private KeyQuota() {}

  /** Whether a field is meant to be one of a quota, valid or not. */
  static boolean isField(String field) {
    return field.indexOf('=') >= 0;
  }

  /**
   * Parses the fields of a line.
   *
   * @throws IllegalArgumentException if one is invalid or repeated; the message does not quote it
   */
  static Quota parse(String owner, List<String> fields) {
    var quota = new Quota(owner, 0, 0);
    for (var field : fields) {
      if (quota.maxFilters() == 0 && field.startsWith(MAX_FILTERS)) {
        quota = new Quota(owner, count(field.substring(MAX_FILTERS.length())), quota.maxBytes());
      } else if (quota.maxBytes() == 0 && field.startsWith(MAX_BYTES)) {
        quota = new Quota(owner, quota.maxFilters(), bytes(field.substring(MAX_BYTES.length())));
      } else {
        throw new IllegalArgumentException(
            "has a field after its hash that is not its prefixes, followed by maxFilters=<number>"
                + " and maxBytes=<bytes>, each once");
      }
    }
    return quota;
  }

  private static long count(String text) {
    if (!COUNT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "has a maxFilters that is not a whole number of at least 1");
    }
    return Long.parseLong(text);
  }

  private static long bytes(String text) {
    if (BYTES.matcher(text).matches()) {
      var bytes = new MemorySizeConverter().convert(text).asBigInteger();
      if (bytes.bitLength() < Long.SIZE) {
        return bytes.longValue();
      }
    }
    throw new IllegalArgumentException(
        "has a maxBytes that is not a whole number of at least 1, optionally followed by K, M, G or T,"
            + " below 2^63 bytes");
  }
}
