package io.github.bloomgate.rebuild.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines with credentials, valid and invalid. */
class CredentialLinesTest {

  private static final String S3 = " s3 region=auto accessKey=AK secretKey=s3cret";

  @Test
  void headersOfAServerAreCollected() {
    var headers =
        headers(
            "https://a.example/x",
            "# of the feed",
            "",
            "a.example Authorization: Bearer a:b c",
            "\tA.Example:443   X-Token:t ",
            "a.example:8443 X-Token: other");
    assertEquals(List.of("Bearer a:b c"), headers.get("Authorization"));
    assertEquals(List.of("t"), headers.get("X-Token"));
    assertEquals(2, headers.size());
  }

  @ParameterizedTest
  @CsvSource({
    "a.example, https://a.example/x",
    "a.example, HTTPS://A.example:443",
    "A.EXAMPLE:443, https://a.example/x",
    "https://a.example, https://a.example/x",
    "a.example:8443, https://a.example:8443/x",
    "http://a.example, http://a.example:80/x",
    "HTTP://a.example:8080, http://a.example:8080/x",
    "[::1]:8443, https://[::1]:8443/x",
  })
  void aServerHasTheCredentialsOfItsLine(String server, String url) {
    assertEquals(1, headers(url, server + " X-Token: t").size());
  }

  @ParameterizedTest
  @CsvSource({
    "a.example, http://a.example/x",
    "a.example:80, http://a.example/x",
    "a.example:443, http://a.example:443/x",
    "http://a.example, https://a.example/x",
    "http://a.example:443, https://a.example/x",
    "a.example, https://a.example:8443/x",
    "a.example, https://a.example./x",
    "a.example, https://b.a.example/x",
    "a.example, https://a.example.evil.example/x",
    "a.example, https://example/x",
  })
  void anotherServerHasNone(String server, String url) {
    var all = CredentialLines.parse(List.of(server + " X-Token: t"));
    assertFalse(all.containsKey(Server.of(URI.create(url)).orElseThrow()));
  }

  @Test
  void aRequestToS3IsSigned() {
    var headers =
        headers(
            "https://b.example/x",
            "b.example s3 secretKey=a/b+c=== sessionToken=tok== accessKey=AK region=eu-central-1");
    assertEquals(List.of("tok=="), headers.get("x-amz-security-token"));
    assertEquals(List.of("20150830T123600Z"), headers.get("x-amz-date"));
    var authorization = headers.get("Authorization").get(0);
    assertTrue(
        authorization.startsWith(
            "AWS4-HMAC-SHA256 Credential=AK/20150830/eu-central-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature="),
        authorization);
    assertFalse(headers.toString().contains("a/b+c"), headers.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3cret",
        "a.example",
        "a.example s3cret",
        "a.example Authorization s3cret",
        "a.example Authorization : s3cret",
        "a.example Authorization:",
        "a.example :s3cret",
        "a.example Host: s3cret",
        "a.example HOST: s3cret",
        "a.example accept-encoding: s3cret",
        "a.example Proxy-Authorization: s3cret",
        "a.example X-Token: s3cret\u00e9",
        "a.example X-Token: s3cret\u0007x",
        "a.example X-Token: a\tb",
        "a.example/path X-Token: s3cret",
        "a.example/ X-Token: s3cret",
        "https://a.example/ X-Token: s3cret",
        "ftp://a.example X-Token: s3cret",
        "user:s3cret@a.example X-Token: s3cret",
        "*.example X-Token: s3cret",
        "a.example:99999 X-Token: s3cret",
        "a.example:x X-Token: s3cret",
        "a.example?s3cret X-Token: s3cret",
        "a.example s3",
        "a.example s3 AK s3cret auto",
        "a.example s3 region=auto accessKey=AK",
        "a.example s3 region=auto accessKey=AK secretKey=",
        "a.example s3 region= accessKey=AK secretKey=s3cret",
        "a.example s3 region=a/b accessKey=AK secretKey=s3cret",
        "a.example s3 region=auto accessKey=A/K secretKey=s3cret",
        "a.example s3 region=auto accessKey=AK secretKey=s3cret accessKey=AL",
        "a.example s3 region=auto accessKey=AK secretKey=s3cret other=s3cret",
        "a.example s3 region=auto accessKey=AK secretKey=s3cret sessionToken=",
      })
  void anInvalidLineIsRefusedWithoutQuotingIt(String line) {
    assertRefused("cannot be used: line 2 ", "# first", line);
  }

  @Test
  void linesMustNotContradictEachOther() {
    assertRefused("line 2 repeats", "a.example X-Token: s3cret", "A.example:443 x-token: s3cret");
    assertRefused("line 2 repeats", "a.example X-Token: s3cret", "a.example" + S3);
    assertRefused("line 2 repeats", "a.example" + S3, "a.example X-Token: s3cret");
    assertRefused("line 2 repeats", "a.example" + S3, "a.example" + S3);
  }

  @Test
  void noCredentialsAreRefused() {
    assertRefused("has no credentials", "", "# none");
  }

  private static void assertRefused(String why, String... lines) {
    var refused =
        assertThrows(
            IllegalArgumentException.class, () -> CredentialLines.parse(Arrays.asList(lines)));
    assertTrue(refused.getMessage().contains(why), refused.getMessage());
    for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
      assertFalse(cause.getMessage().contains("s3cret"), cause.getMessage());
    }
  }

  private static Map<String, List<String>> headers(String url, String... lines) {
    var uri = URI.create(url);
    var all = CredentialLines.parse(Arrays.asList(lines));
    var credentials = all.get(Server.of(uri).orElseThrow());
    assertFalse(credentials.toString().contains("a/b+c"));
    return credentials.request(uri, Instant.parse("2015-08-30T12:36:00Z")).build().headers().map();
  }
}
