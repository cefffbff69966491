package io.github.bloomgate.http.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {

  @Test
  void bearerCarriesTheToken() {
    assertEquals(Optional.of("bg_a_b"), Credentials.token("Bearer bg_a_b"));
    assertEquals(Optional.of("bg_a_b"), Credentials.token("bearer  bg_a_b "));
  }

  @Test
  void basicCarriesItAsThePasswordOfAnyUser() {
    for (var pair : new String[] {"a:bg_a_b", ":bg_a_b", "über:bg_a_b"}) {
      var encoded = Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
      assertEquals(Optional.of("bg_a_b"), Credentials.token("Basic " + encoded));
      assertEquals(Optional.of("bg_a_b"), Credentials.token("BASIC  " + encoded + " "));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Bearer", "Basic", "Basic %%", "Basic bm9jb2xvbg==", "Digest x", "bg_a_b"})
  void otherHeadersCarryNone(String header) {
    assertEquals(Optional.empty(), Credentials.token(header));
  }
}
