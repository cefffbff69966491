package io.github.bloomgate.http.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Quota;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {

  private static final String HASH =
      "sha256:0af90af90af90af90af90af90af90af90af90af90af90af90af90af90af90af9";

  private static final String TOKEN = KeyToken.create("a");

  private static final String RANDOM = "x".repeat(43);

  private final NameScope scope = NameScope.of(List.of("shop-", "a", "shop-eu-", "ab"));

  @Test
  void aWrittenLineIsReadBack() {
    var token = KeyToken.create("shop");
    var line = ApiKey.line("shop", Role.WRITER, token, List.of("shop-", "cart-"));

    var key = ApiKey.parse("  " + line.replace(" ", "\t ") + " ");

    assertEquals("shop", key.id());
    assertEquals(Role.WRITER, key.role());
    assertTrue(key.isHashOf(KeyToken.hash(token)));
    assertFalse(key.isHashOf(KeyToken.hash(token + "x")));
    assertEquals("cart-, shop-", key.scope().toString());
    assertFalse(line.contains(token.substring(8)), "the line must not hold the token");
  }

  @Test
  void aQuotaIsReadWithAndWithoutPrefixes() {
    var line =
        ApiKey.line("shop", Role.ADMIN, TOKEN, List.of("shop-"), "maxFilters=7", "maxBytes=3G");

    assertTrue(line.endsWith(" shop- maxFilters=7 maxBytes=3G"), line);
    assertEquals(new Quota("shop", 7, 3L << 30), ApiKey.parse(line).quota());
    assertEquals("shop-", ApiKey.parse(line).scope().toString());
    var unlimited = ApiKey.parse("a admin " + HASH + " maxBytes=512");
    assertEquals(new Quota("a", 0, 512), unlimited.quota());
    assertTrue(unlimited.scope().isAll());
    assertEquals(new Quota("a", 0, 0), ApiKey.parse("a admin " + HASH + " a-").quota());
  }

  @ParameterizedTest
  @CsvSource({
    "1K, 1024",
    "1M, 1048576",
    "1T, 1099511627776",
    "999999999999999999, 999999999999999999",
    "8388607T, 9223370937343148032",
  })
  void bytesMayHaveAUnit(String text, long bytes) {
    assertEquals(bytes, ApiKey.parse("a admin " + HASH + " maxBytes=" + text).quota().maxBytes());
  }

  @Test
  void aKeyWithAnotherQuotaIsAnotherKey() {
    var key = "a admin " + HASH + " a- maxFilters=";
    assertEquals(ApiKey.parse(key + 1), ApiKey.parse(key + 1));
    assertNotEquals(ApiKey.parse(key + 1), ApiKey.parse(key + 2));
  }

  @Test
  void aPrefixThatLooksLikeAQuotaIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ApiKey.line("a", Role.ADMIN, TOKEN, List.of("maxFilters=1")));
  }

  @Test
  void theHashMatchesOtherTools() {
    // printf %s bg_a | sha256sum
    var key = ApiKey.parse("a reader sha256:" + KeyToken.hash("bg_a"));

    assertTrue(key.isHashOf(KeyToken.hash("bg_a")));
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", KeyToken.hash("abc"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a reader",
        "a reader " + HASH + " b- c-",
        "a_b reader " + HASH,
        "a Reader " + HASH,
        "a root " + HASH,
        "a reader 0af90af90af90af90af90af90af90af90af90af90af90af90af90af90af90af9",
        "a reader sha256:0af9",
        "a reader md5:0af90af90af90af90af90af90af90af90af90af90af90af90af90af90af90af9",
        "a reader " + HASH + " b-,",
        "a reader " + HASH + " *",
        "a reader " + HASH + " {{b",
        "a admin " + HASH + " maxFilters=",
        "a admin " + HASH + " maxFilters=0",
        "a admin " + HASH + " maxFilters=-1",
        "a admin " + HASH + " maxFilters=1K",
        "a admin " + HASH + " maxFilters=1.5",
        "a admin " + HASH + " maxFilters=1000000000000000000000",
        "a admin " + HASH + " maxFilters=1 maxFilters=2",
        "a admin " + HASH + " maxFilters=1,maxBytes=2",
        "a admin " + HASH + " maxfilters=1",
        "a admin " + HASH + " maxFilters=1 a-",
        "a admin " + HASH + " maxBytes=",
        "a admin " + HASH + " maxBytes=0",
        "a admin " + HASH + " maxBytes=K",
        "a admin " + HASH + " maxBytes=1k",
        "a admin " + HASH + " maxBytes=1P",
        "a admin " + HASH + " maxBytes=8388608T",
        "a admin " + HASH + " maxBytes=1 maxBytes=1",
        "a admin " + HASH + " a- maxKeys=1",
        "a admin " + HASH + " a- =1",
      })
  void otherLinesAreRefused(String line) {
    assertThrows(IllegalArgumentException.class, () -> ApiKey.parse(line));
  }

  @Test
  void aTokenInsteadOfItsHashIsNotQuoted() {
    var token = KeyToken.create("a");
    for (var line : List.of("a reader " + token, token + " reader " + HASH, "a " + token + " x")) {
      var refusal = assertThrows(IllegalArgumentException.class, () -> ApiKey.parse(line));
      assertFalse(refusal.getMessage().contains(token), refusal.getMessage());
    }
  }

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
