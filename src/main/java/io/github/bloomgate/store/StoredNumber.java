package io.github.bloomgate.store;

import java.util.regex.Pattern;

/**
 * Reads numbers of hashes in Redis, which another program may have overwritten. With 15 digits,
 * times and sums of them stay within all types.
 */
final class StoredNumber {

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,15}");

  private StoredNumber() {}

  /**
   * @throws IllegalArgumentException if the text is not a number of 1 to 15 digits
   */
  static long of(String text) {
    if (text == null || !DIGITS.matcher(text).matches()) {
      throw new IllegalArgumentException("not a number of at most 15 digits");
    }
    return Long.parseLong(text);
  }
}
