package io.github.bloomgate.rebuild.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.SortedMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs GET requests by version 4 of the signatures of AWS, which S3 and compatible stores check.
 * See "Signature calculations for the Authorization header" in the reference of Amazon S3.
 */
final class AwsSignature {

  /** The header with the time of the request, which is signed. */
  static final String DATE = "x-amz-date";

  /** SHA-256 of an empty body. */
  static final String EMPTY_BODY =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String END_OF_SCOPE = "aws4_request";
  private static final int DAY_LENGTH = "yyyyMMdd".length();

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final HexFormat HEX = HexFormat.of();
  private static final HexFormat UPPER_HEX = HEX.withUpperCase();

  private final String service;
  private final String region;
  private final String accessKey;
  private final String secretKey;

  AwsSignature(String service, String region, String accessKey, String secretKey) {
    this.service = service;
    this.region = region;
    this.accessKey = accessKey;
    this.secretKey = secretKey;
  }

  /** The value of {@link #DATE}. */
  static String time(Instant now) {
    return TIME.format(now);
  }

  /**
   * The same URL as the server writes it when it checks a signature: everything encoded but
   * unreserved characters, and parameters in order. Sending it in this form leaves no doubt about
   * characters such as {@code +}.
   */
  static URI canonical(URI url) {
    var path = url.getRawPath().isEmpty() ? "/" : encoded(url.getRawPath(), true);
    var query = url.getRawQuery() == null ? "" : "?" + canonicalQuery(url.getRawQuery());
    return URI.create(Server.of(url).orElseThrow() + path + query);
  }

  private static String canonicalQuery(String query) {
    return Arrays.stream(query.split("&"))
        .filter(parameter -> !parameter.isEmpty())
        .map(parameter -> parameter.split("=", 2))
        .map(
            parts ->
                new String[] {
                  encoded(parts[0], false), parts.length == 1 ? "" : encoded(parts[1], false)
                })
        .sorted(
            Comparator.<String[], String>comparing(parts -> parts[0])
                .thenComparing(parts -> parts[1]))
        .map(parts -> parts[0] + "=" + parts[1])
        .collect(joining("&"));
  }

  private static String encoded(String raw, boolean keepsSlash) {
    var text = new StringBuilder();
    for (var b : decoded(raw)) {
      var c = (char) (b & 0xff);
      var isUnreserved =
          (c >= 'A' && c <= 'Z')
              || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || "-._~".indexOf(c) >= 0;
      if (isUnreserved || (keepsSlash && c == '/')) {
        text.append(c);
      } else {
        text.append('%').append(UPPER_HEX.toHexDigits(b));
      }
    }
    return text.toString();
  }

  /** Not by URLDecoder, which takes a plus for a space. */
  private static byte[] decoded(String raw) {
    var bytes = new ByteArrayOutputStream();
    for (var i = 0; i < raw.length(); i++) {
      if (raw.charAt(i) == '%') {
        bytes.write(HexFormat.fromHexDigits(raw, i + 1, i + 3));
        i += 2;
      } else {
        bytes.write(raw.charAt(i));
      }
    }
    return bytes.toByteArray();
  }

  /**
   * The value of an {@code Authorization} header.
   *
   * @param url {@link #canonical}
   * @param headers to sign, by name in lower case: all that the server requires, including {@code
   *     host} and {@link #DATE}
   */
  String authorization(URI url, SortedMap<String, String> headers) {
    var time = headers.get(DATE);
    var day = time.substring(0, DAY_LENGTH);
    var names = String.join(";", headers.keySet());
    var request =
        String.join(
            "\n",
            "GET",
            url.getRawPath(),
            url.getRawQuery() == null ? "" : url.getRawQuery(),
            headers.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                .collect(joining()),
            names,
            EMPTY_BODY);
    var scope = String.join("/", day, region, service, END_OF_SCOPE);
    var text = String.join("\n", ALGORITHM, time, scope, HEX.formatHex(sha256(request)));
    return "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
        .formatted(ALGORITHM, accessKey, scope, names, HEX.formatHex(hmac(key(day), text)));
  }

  private byte[] key(String day) {
    var ofDay = hmac(("AWS4" + secretKey).getBytes(UTF_8), day);
    return hmac(hmac(hmac(ofDay, region), service), END_OF_SCOPE);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("Every Java has SHA-256", missing);
    }
  }

  private static byte[] hmac(byte[] key, String message) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message.getBytes(US_ASCII));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("Every Java has HmacSHA256", missing);
    }
  }
}
