package io.github.bloomgate.hash;

import java.util.regex.Pattern;

/**
 * What the key of a keyed filter is derived from. Stored with the filter and no secret: without the
 * secret it names, it tells nothing of the key.
 *
 * @param secretId which secret: 16 hexadecimal digits, lower case
 * @param salt of this filter and its copies: 32 hexadecimal digits, lower case
 */
public record KeyOrigin(String secretId, String salt) {

  private static final Pattern SECRET_ID = Pattern.compile("[0-9a-f]{16}");
  private static final Pattern SALT = Pattern.compile("[0-9a-f]{32}");

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException if one is malformed
   */
  public KeyOrigin {
    if (!SECRET_ID.matcher(secretId).matches() || !SALT.matcher(salt).matches()) {
      throw new IllegalArgumentException("A secret's id has 16 hexadecimal digits, a salt 32");
    }
  }
}
