package io.github.bloomgate.rebuild.source;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The keys of an account of S3, or of a compatible store, with which requests are signed. */
final class S3Credentials implements Credentials {

  private static final String REGION = "region";
  private static final String ACCESS_KEY = "accessKey";
  private static final String SECRET_KEY = "secretKey";
  private static final String SESSION_TOKEN = "sessionToken";
  private static final Set<String> REQUIRED = Set.of(REGION, ACCESS_KEY, SECRET_KEY);

  private static final Pattern REGION_NAME = Pattern.compile("[A-Za-z0-9._-]+");

  /** A slash or a comma would end it in the header. */
  private static final Pattern KEY_NAME = Pattern.compile("[\\x21-\\x7e&&[^/,]]+");

  private static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7e]+");

  private final AwsSignature signature;

  /** Proves temporary keys. */
  private final Optional<String> sessionToken;

  private S3Credentials(AwsSignature signature, Optional<String> sessionToken) {
    this.signature = signature;
    this.sessionToken = sessionToken;
  }

  /**
   * Reads {@code region=REGION accessKey=KEY secretKey=SECRET [sessionToken=TOKEN]}, in any order.
   *
   * @throws IllegalArgumentException if it is invalid; the message completes "line 1 ..." and
   *     quotes nothing
   */
  static S3Credentials parse(String text) {
    var fields = fields(text);
    if (!fields.keySet().containsAll(REQUIRED)
        || !REGION_NAME.matcher(fields.get(REGION)).matches()
        || !KEY_NAME.matcher(fields.get(ACCESS_KEY)).matches()
        || !fields.values().stream().allMatch(value -> PRINTABLE.matcher(value).matches())) {
      throw invalid();
    }
    return new S3Credentials(
        new AwsSignature("s3", fields.get(REGION), fields.get(ACCESS_KEY), fields.get(SECRET_KEY)),
        Optional.ofNullable(fields.get(SESSION_TOKEN)));
  }

  private static Map<String, String> fields(String text) {
    var fields = new HashMap<String, String>();
    for (var field : text.strip().split("\\s+")) {
      var parts = field.split("=", 2);
      var isKnown = REQUIRED.contains(parts[0]) || parts[0].equals(SESSION_TOKEN);
      if (!isKnown || parts.length < 2 || fields.putIfAbsent(parts[0], parts[1]) != null) {
        throw invalid();
      }
    }
    return fields;
  }

  private static IllegalArgumentException invalid() {
    return new IllegalArgumentException(
        "must have region=, accessKey= and secretKey= after s3, each once and with a value, and for temporary keys sessionToken=");
  }

  @Override
  public HttpRequest.Builder request(URI url, Instant now) {
    var sent = AwsSignature.canonical(url);
    var headers = new TreeMap<String, String>();
    headers.put("x-amz-content-sha256", AwsSignature.EMPTY_BODY);
    headers.put(AwsSignature.DATE, AwsSignature.time(now));
    sessionToken.ifPresent(token -> headers.put("x-amz-security-token", token));
    var request = HttpRequest.newBuilder(sent);
    headers.forEach(request::header);
    // The HTTP client sends this header itself.
    headers.put("host", Server.of(sent).orElseThrow().authority());
    return request.header("Authorization", signature.authorization(sent, headers));
  }

  /** A wrong region and an expired token get 400. */
  @Override
  public boolean isRefusal(int status) {
    return status == 400 || status == 401 || status == 403;
  }

  @Override
  public String remedy() {
    return "Correct the keys and the region, check that they may read this object and that it exists, and check the clock of this instance.";
  }
}
