package io.github.bloomgate.config.secret;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** One secret of at least 32 random bytes. Never printed. */
final class HashSecret {

  /* Keys are derived by HKDF with SHA-256 (RFC 5869), one block of output. Each filter's salt gives it a different key, which reveals neither the secret nor other keys. The id is derived with another info and no salt, so it reveals nothing about them either. */

  private static final int MIN_BYTES = 32;

  private static final int MAX_BYTES = 1024;
  private static final int ID_BYTES = 8;
  private static final int HASH_BYTES = 32;

  private static final byte[] KEY_INFO = "bloomgate-1-keyed".getBytes(US_ASCII);
  private static final byte[] ID_INFO = "bloomgate secret id".getBytes(US_ASCII);

  private static final Pattern HEX = Pattern.compile("(?:[0-9a-fA-F]{2})+");

  private final byte[] bytes;
  private final String id;

  private HashSecret(byte[] bytes) {
    this.bytes = bytes;
    id = HexFormat.of().formatHex(Arrays.copyOf(derive(new byte[HASH_BYTES], ID_INFO), ID_BYTES));
  }

  /**
   * Parses a secret.
   *
   * @param text hexadecimal, or Base64 of either alphabet
   * @throws IllegalArgumentException if it is neither, too short or too long; the message completes
   *     "the secret ..." and quotes nothing of it
   */
  static HashSecret parse(String text) {
    byte[] bytes;
    try {
      bytes =
          HEX.matcher(text).matches()
              ? HexFormat.of().parseHex(text)
              : Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException malformed) {
      // The exception's message would quote the text.
      bytes = new byte[0];
    }
    if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "is not the Base64 or hexadecimal form of %d to %d random bytes; make one with: openssl rand -base64 32"
              .formatted(MIN_BYTES, MAX_BYTES));
    }
    return new HashSecret(bytes);
  }

  /** Identifies the secret: 16 hexadecimal digits. */
  String id() {
    return id;
  }

  /** The 32-byte key for a salt. */
  byte[] key(String salt) {
    return derive(HexFormat.of().parseHex(salt), KEY_INFO);
  }

  private byte[] derive(byte[] salt, byte[] info) {
    var block = Arrays.copyOf(info, info.length + 1);
    block[info.length] = 1;
    return hmac(hmac(salt, bytes), block);
  }

  private static byte[] hmac(byte[] key, byte[] message) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("Every Java has HmacSHA256", missing);
    }
  }
}
