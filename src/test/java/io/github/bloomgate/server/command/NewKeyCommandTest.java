package io.github.bloomgate.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.access.ApiKey;
import io.github.bloomgate.http.access.Role;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewKeyCommandTest {

  @Test
  void itsOutputCanBePastedIntoAShell() throws Exception {
    var printed = run("--role writer --id shop --prefix shop- --prefix cart-");

    var shell =
        new ProcessBuilder(
                "sh",
                "-c",
                String.join("\n", printed)
                    + "\nprintf '%s\\n%s' \"$BLOOMGATE_KEY\" \"$BLOOMGATE_SECURITY_KEYS\"")
            .redirectErrorStream(true)
            .start();
    var set = new String(shell.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertEquals(2, set.size(), "nothing else is printed");
    var token = set.get(0);
    assertTrue(token.startsWith("bg_shop_"), "the key");
    var line = ApiKey.line("shop", Role.WRITER, token, List.of("shop-", "cart-"));
    assertEquals(line, set.get(1));
    assertEquals("# echo '%s' >> keys".formatted(line), printed.get(printed.size() - 1));
  }

  @Test
  void quietlyItPrintsOnlyTheKeyAndTheLineToStandardError() {
    var aside = new ByteArrayOutputStream();

    var printed =
        NewKeyCommand.run(
            List.of("--quiet", "--role", "reader", "--id", "shop"),
            new PrintStream(aside, true, UTF_8));

    assertTrue(printed.matches("bg_shop_[\\w-]{43}\\R"), "the key alone");
    assertEquals(
        ApiKey.line("shop", Role.READER, printed.strip(), List.of()),
        aside.toString(UTF_8).strip());
  }

  @Test
  void itWritesTheQuotaIntoTheLine() {
    var printed = line("--role admin --id shop --max-bytes 1G --prefix shop- --max-filters 10");

    assertTrue(printed.endsWith(" shop- maxBytes=1G maxFilters=10"), printed);
  }

  @Test
  void withoutAnIdItMakesARandomOne() {
    assertNotEquals(line("--role admin").split(" ", -1)[0], line("--role admin").split(" ", -1)[0]);
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
  void ambiguousArgumentsAreRefused(String arguments) {
    assertThrows(IllegalArgumentException.class, () -> run(arguments));
  }

  private static String line(String arguments) {
    return run(arguments).stream()
        .filter(printed -> printed.startsWith("export BLOOMGATE_SECURITY_KEYS="))
        .map(printed -> printed.split("'", -1)[1])
        .findFirst()
        .orElseThrow();
  }

  private static List<String> run(String arguments) {
    return NewKeyCommand.run(
            arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1)), System.err)
        .lines()
        .toList();
  }
}
