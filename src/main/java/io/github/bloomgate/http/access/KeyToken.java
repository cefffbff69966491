package io.github.bloomgate.http.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The secret that a client sends in the {@code Authorization} header, as Bearer or as the password
 * of Basic: {@code bg_<id>_<43 characters>}, the last part 32 random bytes in base64url. With that
 * much entropy a plain SHA-256 cannot be reversed by search, so no slow hash is needed.
 */
public final class KeyToken {

  /**
   * The challenge for clients without a valid key. Basic is accepted but never offered: a browser
   * would prompt for a password and then send it even with requests triggered by other sites. Over
   * plain HTTP a browser cannot be distinguished from other clients.
   */
  public static final String CHALLENGE = "Bearer realm=\"bloomgate\"";

  private static final String BEARER = "Bearer ";
  private static final String BASIC = "Basic ";

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

  /** The token in a header, if any. */
  static Optional<String> ofHeader(String header) {
    if (isBearer(header)) {
      return Optional.of(header.substring(BEARER.length()).strip());
    }
    if (header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return password(header.substring(BASIC.length()).strip());
    }
    return Optional.empty();
  }

  /** Whether it is Bearer, which browsers never send automatically. */
  public static boolean isBearer(String header) {
    return header.regionMatches(true, 0, BEARER, 0, BEARER.length());
  }

  /** The user name is ignored, because the token contains its id. */
  private static Optional<String> password(String encoded) {
    try {
      var pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      var colon = pair.indexOf(':');
      return colon < 0 ? Optional.empty() : Optional.of(pair.substring(colon + 1));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
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
