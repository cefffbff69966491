package io.github.bloomgate.http.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.vertx.core.MultiMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The element of a client's request is found, or the request is refused. */
class ForwardedElementTest {

  private static final String NAME = "my_code";

  @ParameterizedTest
  @CsvSource({
    "/redeem?my_code=SPRING-7Q2, SPRING-7Q2",
    "/?my_code=a, a",
    "/redeem?a=b&my_code=SPRING-7Q2&c, SPRING-7Q2",
    "/caf%C3%A9/x%2Fy?my_code=alice%2Bnews%40example.com&q=1+2%203, alice+news@example.com",
    "/redeem?my_code=a=b, a=b",
    "/redeem?my_codes=b&my_code=a&xmy_code=c, a"
  })
  void aParameterOfTheTargetIsTheElement(String target, String element) {
    assertEquals(element, ForwardedElement.inTarget(target, NAME));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "redeem?my_code=a",
        "http://x/redeem?my_code=a",
        "/redeem",
        "/redeem?",
        "/redeem?my_code",
        "/redeem?my_code=",
        "/redeem?my_code=a&my_code=a",
        "/redeem?my_code=a&MY_CODE=b",
        "/redeem?My_Code=a",
        "/redeem?my_code=a&my-code=b",
        "/redeem?my_code=a&my%5Fcode=b",
        "/redeem?my_code=a&my.code=b",
        "/redeem?my_code=a&my_code[]=b",
        "/redeem?my_code=a&my_code%5B0%5D=b",
        "/redeem?my_code=a&+my_code=b",
        "/redeem?my_code=a&%20my_code=b",
        "/redeem?my_code=a&my_code%00x=b",
        "/redeem?my_code=a;my_code=b",
        "/redeem?x=1;my_code=b&my_code=a",
        "/redeem;my_code=b?my_code=a",
        "/redeem%3Bmy_code=b?my_code=a",
        "/redeem%3Fmy_code=b?my_code=a",
        "/redeem%253Fmy_code=b?my_code=a",
        "/redeem%23?my_code=a",
        "/redeem&my_code=b?my_code=a",
        "/redeem\\x?my_code=a",
        "/redeem%0A%0A?my_code=a",
        "/redeem?x?my_code=a",
        "/redeem?x=?my_code=b&my_code=a",
        "/redeem?my_code=a#&my_code=b",
        "/redeem#?my_code=a",
        "/redeem?my_code=a+b",
        "/redeem?my_code=a%20",
        "/redeem?my_code=%09a",
        "/redeem?my_code=a%00b",
        "/redeem?my_code=a,b",
        "/redeem?my_code=a%2Cb",
        "/redeem?my_code=%2561",
        "/redeem?my_code=a%26my_code=b",
        "/redeem?my_code=a%3Bb",
        "/redeem?my_code=a&x=%26my_code%3Db",
        "/redeem?x=%26MY-CODE=b&my_code=a",
        "/redeem?my_code=%C3%A9",
        "/redeem?my_code=%FF",
        "/redeem?my_code=\u00e9",
        "/redeem?my_code=a b",
        "/redeem?my_code=%",
        "/redeem?my_code=%4",
        "/redeem?my_code=%zz",
        "/redeem?my_code=%u0061",
        "/redeem?my_code=a&x=%zz",
        "/red%em?my_code=a",
        "/redeem?my_code=a&",
        "/redeem?&my_code=a",
        "/redeem?my_code=a&=b"
      })
  void anAmbiguousTargetIsRefused(String target) {
    assertRefused(() -> ForwardedElement.inTarget(target, NAME));
  }

  @Test
  void theHeaderIsTheElement() {
    var headers = headers("x-token-id", "a=b/c+d");
    assertEquals("a=b/c+d", ForwardedElement.inHeader(headers, "X-Token-Id"));
    var uri = headers("X-Forwarded-Uri", "/?id=a");
    assertEquals("a", ForwardedElement.inForwardedUri(uri, "id"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,b", "a, b", " a", "a ", "a b", "a\tb", "\u00e9", "a%20", "\0"})
  void anAmbiguousValueOfAHeaderIsRefused(String value) {
    assertRefused(() -> ForwardedElement.inHeader(headers("X-Token-Id", value), "X-Token-Id"));
  }

  @Test
  void aMissingOrSecondHeaderIsRefused() {
    var other = headers("X-Other", "a");
    var twice = headers("X-Token-Id", "a").add("x-token-id", "a");
    var underscored = headers("X-Token-Id", "a").add("X_Token_Id", "b");
    var only = headers("X_Token_Id", "b");
    for (var headers : List.of(other, twice, underscored, only)) {
      assertRefused(() -> ForwardedElement.inHeader(headers, "X-Token-Id"));
    }
    var uris = headers("X-Forwarded-Uri", "/?id=a").add("X-Forwarded-Uri", "/?id=a");
    assertRefused(() -> ForwardedElement.inForwardedUri(uris, "id"));
    assertRefused(() -> ForwardedElement.inForwardedUri(other, "id"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "a,b", "\u00e9", "a/b", "a*"})
  void aMalformedNameIsRefused(String name) {
    assertRefused(() -> ForwardedElement.inHeader(headers("X-Token-Id", "a"), name));
    assertRefused(() -> ForwardedElement.inTarget("/?id=a", name));
  }

  @Test
  void aLongNameIsRefused() {
    assertRefused(() -> ForwardedElement.inHeader(headers("a", "a"), "a".repeat(65)));
    assertRefused(() -> ForwardedElement.inTarget("/?id=a", "a".repeat(65)));
  }

  private static MultiMap headers(String name, String value) {
    return MultiMap.caseInsensitiveMultiMap().add(name, value);
  }

  private static void assertRefused(Executable reading) {
    var refusal = assertThrows(BloomException.class, reading);
    assertEquals(ErrorCode.INVALID_REQUEST, refusal.code());
    for (var part : List.of("=a", "=b", "redeem")) {
      assertFalse(refusal.getMessage().contains(part), refusal.getMessage());
    }
  }
}
