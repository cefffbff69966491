package io.github.bloomgate.rebuild.source;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which URLs may be read. */
class AllowedUrlsTest {

  private static final AllowedUrls ALLOWED =
      new AllowedUrls(
          List.of("https://lists.example.com/daily", "http://intern.example:8081/", "http://bare"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://lists.example.com/daily",
        "https://lists.example.com/daily/",
        "https://lists.example.com/daily/a/b.txt?day=1&x=../y",
        "https://lists.example.com:443/daily/a",
        "HTTPS://LISTS.example.COM/daily/a",
        "http://intern.example:8081/",
        "http://intern.example:8081",
        "http://intern.example:8081/any.thing/else..txt",
        "http://bare",
        "http://bare:80/x"
      })
  void urlsBelowAnAllowedOneAreAllowed(String url) {
    assertEquals(url, ALLOWED.require(url).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://lists.example.com/dailyx",
        "https://lists.example.com/",
        "https://lists.example.com",
        "https://lists.example.com/DAILY/a",
        "http://lists.example.com/daily/a",
        "https://lists.example.com:8443/daily/a",
        "https://lists.example.com.evil.example/daily/a",
        "https://lists.example.com./daily/a",
        "https://evil.example/daily/a",
        "https://evil@lists.example.com/daily/a",
        "https://lists.example.com@evil.example/daily/a",
        "https://lists.example.com/daily/../secret",
        "https://lists.example.com/daily/..",
        "https://lists.example.com/daily/./a",
        "https://lists.example.com/daily/%2e%2e/secret",
        "https://lists.example.com/daily/.%2E/secret",
        "https://lists.example.com/daily/..%2fsecret",
        "https://lists.example.com/daily/..%5Csecret",
        "https://lists.example.com/daily/..;x=1/secret",
        "https://lists.example.com/daily//a",
        "https://lists.example.com/daily/a#b",
        "http://intern.example/",
        "http://127.0.0.1:8081/",
        "file:///etc/passwd",
        "jar:http://bare/x!/y",
        "//bare/x",
        "/daily/a",
        "daily",
        "http:bare",
        "http://",
        "http://bare /x",
        "http://bare/a\u202etxt.exe",
        "http://bare/a\u2066b",
        "http://bare/a\u200bb",
        "http://bare/\u00e4",
        "http://bare/?q=\u202e",
        "http://bare\\@evil.example/"
      })
  void otherUrlsAreRefused(String url) {
    assertFails(ErrorCode.INVALID_REQUEST, () -> ALLOWED.require(url));
  }

  @Test
  void anEmptyListAllowsNothing() {
    assertThrows(
        BloomException.class, () -> new AllowedUrls(List.of()).require("http://example.com/"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "example.com",
        "ftp://example.com/",
        "https://user:s3cret@example.com/",
        "https://user:s3cret@[example.com/",
        "https://example.com/a?b",
        "https://example.com/a/../b",
        "https://*.example.com/"
      })
  void aListWithAnInvalidPrefixIsRefused(String prefix) {
    var refused =
        assertThrows(
            ConfigurationException.class,
            () -> new AllowedUrls(List.of("https://one.example/", prefix)));
    assertTrue(refused.getMessage().contains("URL 2 in it"), refused.getMessage());
    assertFalse(refused.getMessage().contains("s3cret"), refused.getMessage());
    assertNull(refused.getCause());
  }
}
