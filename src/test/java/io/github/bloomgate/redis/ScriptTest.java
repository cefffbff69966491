package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptTest {
  @ParameterizedTest
  @EnumSource
  void redisKnowsEveryScriptByTheSameDigest(Script script) {
    try (TestRedis redis = TestRedis.started()) {
      assertEquals(redis.command("SCRIPT", "LOAD", script.text()).toString(), script.digest());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyScriptHasAHeader(Script script) {
    String text = script.text();
    for (String part : new String[] {"-- KEYS", "-- ARGV", "-- Returns", "-- Complexity"}) {
      assertTrue(text.contains("\n" + part), script + " lacks the line " + part);
    }
  }

  @Test
  void noScriptHasMoreThanAHundredLines() throws IOException {
    try (var files = Files.list(Path.of("src/main/resources/lua"))) {
      for (var file : files.toList()) {
        assertTrue(Files.readAllLines(file).size() <= 100, file + " is too long");
      }
    }
  }

  @Test
  void anIncludeLineStandsForTheFile() {
    assertEquals(
        "local a = 1\nlocal cost = '$1\\\\'\nreturn a\n",
        Script.withIncludes("local a = 1\n-- include: test-part\nreturn a\n"));
  }

  @Test
  void otherMentionsOfIncludeStay() {
    String text = "  -- include: test-part\n-- include: test-part as well\n";
    assertEquals(text, Script.withIncludes(text));
  }

  @Test
  void anIncludedFileMayNotInclude() {
    assertThrows(IllegalStateException.class, () -> Script.withIncludes("-- include: test-nested"));
  }

  @Test
  void aMissingFileIsAnError() {
    assertThrows(
        IllegalStateException.class, () -> Script.withIncludes("-- include: no-such-file"));
  }
}
