package io.github.bloomgate.http.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class NameScopeTest {

  private final NameScope scope = NameScope.of(List.of("shop-", "a", "shop-eu-", "ab"));

  @Test
  void namesBeginWithOneOfThePrefixes() {
    assertTrue(scope.includes("shop-"));
    assertTrue(scope.includes("shop-x"));
    assertTrue(scope.includes("abc"));
    assertFalse(scope.includes("shop"));
    assertFalse(scope.includes("Shop-x"));
    assertFalse(scope.includes(""));
  }

  @Test
  void prefixesAreInOrderAndNoneBeginsWithAnother() {
    assertEquals("a, shop-", scope.toString());
  }

  @Test
  void aRequestedPrefixIsNarrowedToTheScope() {
    assertEquals(List.of("a", "shop-"), scope.within(""));
    assertEquals(List.of("shop-"), scope.within("sh"));
    assertEquals(List.of("shop-eu"), scope.within("shop-eu"));
    assertEquals(List.of(), scope.within("b"));
    assertEquals(List.of(), scope.within("shops"));
  }

  @Test
  void noPrefixesMeanAllNames() {
    assertTrue(NameScope.of(List.of()).isAll());
    assertFalse(scope.isAll());
    assertTrue(NameScope.ALL.includes("x"));
    assertEquals(List.of("x"), NameScope.ALL.within("x"));
    assertEquals(List.of(""), NameScope.ALL.within(""));
  }
}
