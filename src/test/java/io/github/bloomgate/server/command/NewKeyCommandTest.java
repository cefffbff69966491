package io.github.bloomgate.server.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.security.ApiKey;
import io.github.bloomgate.http.security.Role;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewKeyCommandTest {

  @Test
  void itPrintsTheKeyAndTheLineOfItsHash() {
    var printed = run("--role writer --id shop --prefix shop- --prefix cart-");

    var token = printed.get(0).replaceFirst("^key:  ", "");
    assertTrue(token.startsWith("bg_shop_"), "the key");
    assertEquals(
        "line: " + ApiKey.line("shop", Role.WRITER, token, List.of("shop-", "cart-")),
        printed.get(1));
    assertEquals(2, printed.size());
  }

  @Test
  void itWritesTheQuotaIntoTheLine() {
    var printed = run("--role admin --id shop --max-bytes 1G --prefix shop- --max-filters 10");

    assertTrue(printed.get(1).endsWith(" shop- maxBytes=1G maxFilters=10"), printed.get(1));
  }

  @Test
  void withoutAnIdItTakesOneByChance() {
    assertNotEquals(
        run("--role admin").get(1).split(" ", -1)[1], run("--role admin").get(1).split(" ", -1)[1]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--id a",
        "--role",
        "--role root",
        "--role admin --id",
        "--role admin --id a_b",
        "--role admin --prefix *",
        "--role admin --prefix maxFilters=1",
        "--role admin --max-filters",
        "--role admin --max-filters 0",
        "--role admin --max-filters 1 --max-filters 2",
        "--role admin --max-bytes 1X",
        "--role admin more",
      })
  void itIsNotToBeMisunderstood(String arguments) {
    assertThrows(IllegalArgumentException.class, () -> run(arguments));
  }

  private static List<String> run(String arguments) {
    return NewKeyCommand.run(arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1)))
        .lines()
        .toList();
  }
}
