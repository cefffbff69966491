package io.github.bloomgate.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finds shared folders in which other accounts can replace files. */
@EnabledOnOs(OS.LINUX)
class ExposureTest {

  /** An unused account. */
  private static final int OTHER_ACCOUNT = 54_321;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"0777, true", "0770, false", "1777, false", "0755, false", "0700, false"})
  void writersWithoutTheStickyBitMakeItUnsafe(String mode, boolean isUnsafe) throws IOException {
    Files.setAttribute(folder, "unix:mode", Integer.parseInt(mode, 8));

    assertEquals(isUnsafe, Exposure.isUnsafeToShare(folder));
  }

  @Test
  void anotherOwnerMakesItUnsafe() throws IOException {
    var isRoot = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    assumeTrue(isRoot, "only root can change owners");
    Files.setAttribute(folder, "unix:uid", OTHER_ACCOUNT);

    assertTrue(Exposure.isUnsafeToShare(folder));
  }
}
