package io.github.bloomgate.http.security;

import java.math.BigInteger;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How much the filters that a key has created can be, together: {@code maxFilters=<number>} and
 * {@code maxBytes=<number>[K|M|G|T]} of its line.
 *
 * @param maxFilters how many there may be; 0 for any number
 * @param maxBytes how many bytes their bitmaps may take; 0 for any
 */
public record KeyQuota(long maxFilters, long maxBytes) {

  /** No limit. */
  public static final KeyQuota NONE = new KeyQuota(0, 0);

  /** The field of {@link #maxFilters}. */
  public static final String MAX_FILTERS = "maxFilters=";

  /** The field of {@link #maxBytes}. */
  public static final String MAX_BYTES = "maxBytes=";

  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,17}");
  private static final Pattern BYTES = Pattern.compile("[1-9][0-9]{0,17}[KMGT]?");
  private static final String UNITS = "KMGT";
  private static final int BITS_PER_UNIT = 10;

  /** Whether a field of a line is one of a quota, or is meant to be one. */
  static boolean isField(String field) {
    return field.indexOf('=') >= 0;
  }

  /**
   * Reads the fields of a line.
   *
   * @throws IllegalArgumentException if one is none, or comes again; the message holds nothing of
   *     it
   */
  static KeyQuota parse(List<String> fields) {
    var quota = NONE;
    for (var field : fields) {
      if (quota.maxFilters == 0 && field.startsWith(MAX_FILTERS)) {
        quota = new KeyQuota(count(field.substring(MAX_FILTERS.length())), quota.maxBytes);
      } else if (quota.maxBytes == 0 && field.startsWith(MAX_BYTES)) {
        quota = new KeyQuota(quota.maxFilters, bytes(field.substring(MAX_BYTES.length())));
      } else {
        throw new IllegalArgumentException(
            "has a field behind its hash that is not its prefixes, followed by maxFilters=<number>"
                + " and maxBytes=<bytes>, each once");
      }
    }
    return quota;
  }

  private static long count(String text) {
    if (!COUNT.matcher(text).matches()) {
      throw new IllegalArgumentException("has a maxFilters that is not a whole number from 1");
    }
    return Long.parseLong(text);
  }

  private static long bytes(String text) {
    if (BYTES.matcher(text).matches()) {
      var unit = UNITS.indexOf(text.charAt(text.length() - 1)) + 1;
      var number = new BigInteger(unit == 0 ? text : text.substring(0, text.length() - 1));
      var bytes = number.shiftLeft(BITS_PER_UNIT * unit);
      if (bytes.bitLength() < Long.SIZE) {
        return bytes.longValue();
      }
    }
    throw new IllegalArgumentException(
        "has a maxBytes that is not a whole number from 1, with K, M, G or T behind it or nothing,"
            + " below 2^63 bytes");
  }
}
