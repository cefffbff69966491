package io.github.bloomgate.model;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.regex.Pattern;

/**
 * A valid filter name. Redis keys are built from nothing else.
 *
 * @param value 1 to 128 characters of {@code A-Z a-z 0-9 . _ ~ : @ -}, the first a letter or digit
 */
public record FilterName(String value) {

  public static final int MAX_LENGTH = 128;

  /** Without braces and slashes, which have a meaning in Redis keys and in URLs. */
  public static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._~:@-]{0,127}";

  private static final Pattern VALID = Pattern.compile(PATTERN);

  /**
   * Validates the name.
   *
   * @throws BloomException INVALID_REQUEST if it is invalid
   */
  public FilterName {
    if (!VALID.matcher(value).matches()) {
      // Without the name, which may be anything, of any length.
      throw RequestErrors.invalid(
          "A filter name has 1 to 128 characters of A-Z a-z 0-9 . _ ~ : @ - and begins with a letter or digit. Choose such a name.");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
