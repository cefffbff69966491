package io.github.bloomgate.http.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTokenTest {

  private static final String RANDOM = "x".repeat(43);

  @Test
  void aTokenHas256RandomBitsAndContainsItsId() {
    var token = KeyToken.create("shop.2026-1");

    assertTrue(token.matches("bg_shop\\.2026-1_[A-Za-z0-9_-]{43}"), "its form");
    assertEquals(Optional.of("shop.2026-1"), KeyToken.idOf(token));
    assertNotEquals(token, KeyToken.create("shop.2026-1"));
  }

  @Test
  void theRandomPartMayHaveUnderscores() {
    assertEquals(Optional.of("a"), KeyToken.idOf("bg_a_" + "_".repeat(43)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "bg_", "bg_a", "bg__" + "x", "Bg_a_", "a_", "bg_a-"})
  void otherTextsNameNoId(String start) {
    assertEquals(Optional.empty(), KeyToken.idOf(start));
    var framed = start + RANDOM;
    assertEquals(Optional.empty(), KeyToken.idOf(framed.equals("bg_" + RANDOM) ? "" : framed));
  }

  @Test
  void aTextThatIsTooLongNamesNoId() {
    assertEquals(Optional.empty(), KeyToken.idOf("bg_" + "a".repeat(33) + "_" + RANDOM));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a_b", "a b", "ä", "a\n"})
  void anIdIsPlain(String id) {
    assertThrows(IllegalArgumentException.class, () -> KeyToken.create(id));
  }
}
