package io.github.bloomgate.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A store like S3 that responds with one line if a request is signed, else with 403. It computes
 * the signature from what it receives, in code of its own.
 */
public final class SignedBucket implements AutoCloseable {

  private static final HexFormat HEX = HexFormat.of();

  private final HttpServer server;
  private final String accessKey;
  private final String secretKey;
  private final String region;

  public SignedBucket(String accessKey, String secretKey, String region) throws IOException {
    this.accessKey = accessKey;
    this.secretKey = secretKey;
    this.region = region;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = isSigned(exchange) ? "a\n".getBytes(UTF_8) : "<Error/>".getBytes(UTF_8);
      exchange.sendResponseHeaders(body.length == 2 ? 200 : 403, body.length);
      exchange.getResponseBody().write(body);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private boolean isSigned(HttpExchange exchange) throws GeneralSecurityException {
    var headers = exchange.getRequestHeaders();
    if (headers.containsKey("x-amz-security-token")) {
      return false;
    }
    var date = headers.getFirst("x-amz-date");
    var hash = headers.getFirst("x-amz-content-sha256");
    var uri = exchange.getRequestURI();
    var path =
        Arrays.stream(uri.getRawPath().split("/", -1))
            .map(SignedBucket::recoded)
            .collect(Collectors.joining("/"));
    var query =
        uri.getRawQuery() == null
            ? ""
            : Arrays.stream(uri.getRawQuery().split("&"))
                .map(parameter -> parameter.split("=", 2))
                .map(pair -> recoded(pair[0]) + "=" + recoded(pair[1]))
                .sorted()
                .collect(Collectors.joining("&"));
    var signed = "host;x-amz-content-sha256;x-amz-date";
    var request =
        "GET\n%s\n%s\nhost:%s\nx-amz-content-sha256:%s\nx-amz-date:%s\n\n%s\n%s"
            .formatted(path, query, headers.getFirst("Host"), hash, date, signed, hash);
    var scope = date.substring(0, 8) + "/" + region + "/s3/aws4_request";
    var digest = MessageDigest.getInstance("SHA-256").digest(request.getBytes(UTF_8));
    var text = "AWS4-HMAC-SHA256\n%s\n%s\n%s".formatted(date, scope, HEX.formatHex(digest));
    var key = ("AWS4" + secretKey).getBytes(UTF_8);
    for (var part : scope.split("/")) {
      key = hmac(key, part);
    }
    return headers
        .getFirst("Authorization")
        .equals(
            "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                .formatted(accessKey, scope, signed, HEX.formatHex(hmac(key, text))));
  }

  /** Encodes a part of a URL as the key that it names, where S3 reads a plus as a space. */
  private static String recoded(String raw) {
    return URLEncoder.encode(URLDecoder.decode(raw, UTF_8), UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
