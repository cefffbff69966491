package io.github.bloomgate.hash;

import java.util.regex.Pattern;

/**
 * The origin of a keyed filter's key. Stored with the filter and not secret: without the named
 * secret it reveals nothing about the key.
 *
 * @param secretId identifies the secret: 16 hexadecimal digits, lower case
 * @param salt shared by the filter and its copies: 32 hexadecimal digits, lower case
 */
public record KeyOrigin(String secretId, String salt) {

  private static final Pattern SECRET_ID = Pattern.compile("[0-9a-f]{16}");
  private static final Pattern SALT = Pattern.compile("[0-9a-f]{32}");

  /**
   * Validates both.
   *
   * @throws IllegalArgumentException if one is malformed
   */
  public KeyOrigin {
    if (!SECRET_ID.matcher(secretId).matches() || !SALT.matcher(salt).matches()) {
      throw new IllegalArgumentException("A secret's id has 16 hexadecimal digits, a salt 32");
    }
  }
}
