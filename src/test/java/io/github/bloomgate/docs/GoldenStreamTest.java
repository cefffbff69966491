package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.GoldenStream;
import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The golden streams are what {@code docs/follow.md} defines. They never change. */
class GoldenStreamTest {

  /** To add a file, run this once with {@code -Dtest.write-streams=true}. */
  @ParameterizedTest
  @EnumSource
  void aStreamIsFrozen(GoldenStream golden) throws Exception {
    if (Boolean.getBoolean("test.write-streams") && Files.notExists(golden.file())) {
      Files.createDirectories(golden.file().getParent());
      Files.write(golden.file(), golden.written());
    }
    assertArrayEquals(golden.bytes(), golden.written());
  }

  @Test
  void everyFileHasItsStream() {
    assertEquals(
        Arrays.stream(GoldenStream.values()).map(GoldenStream::file).collect(Collectors.toSet()),
        ProjectFiles.under("src/test/resources/follow").stream().collect(Collectors.toSet()));
  }
}
