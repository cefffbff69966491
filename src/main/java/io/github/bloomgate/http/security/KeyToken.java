package io.github.bloomgate.http.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The secret that a client sends: {@code bg_<id>_<43 characters>}, the last part 32 random bytes in
 * base64url. With that much entropy a plain SHA-256 cannot be reversed by search, so no slow hash
 * is needed.
 */
public final class KeyToken {

  static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,31}");

  /** The prefix of every token, which people and scanners can recognise. */
  static final String START = "bg_";

  private static final int RANDOM_BYTES = 32;
  private static final int RANDOM_LENGTH = 43;
  private static final int MAX_LENGTH = START.length() + 32 + 1 + RANDOM_LENGTH;

  private KeyToken() {}

  /**
   * Creates a token.
   *
   * @param id 1 to 32 letters, digits, dots and hyphens; begins with a letter or digit
   * @throws IllegalArgumentException if the id is invalid
   */
  public static String create(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "An id has 1 to 32 characters of A-Z a-z 0-9 . - and begins with a letter or digit.");
    }
    var random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    return START + id + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** The id in a text, if it has the form of a token. */
  static Optional<String> idOf(String text) {
    var end = text.length() - RANDOM_LENGTH - 1;
    var isFramed =
        end > START.length()
            && text.length() <= MAX_LENGTH
            && text.startsWith(START)
            && text.charAt(end) == '_';
    return isFramed ? Optional.of(text.substring(START.length(), end)) : Optional.empty();
  }

  /** The SHA-256 of a token, in hexadecimal. */
  static String hash(String token) {
    // For every request. The framework's HashUtil formats each byte, which takes twice the time.
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every JDK has SHA-256", impossible);
    }
  }
}
