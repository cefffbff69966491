package io.github.bloomgate.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Temporary files are private. */
@EnabledOnOs(OS.LINUX)
class ScratchFileTest {

  @Test
  void itIsPrivateAndHasNoName() throws Exception {
    var prefix = "bloomgate-test-" + UUID.randomUUID() + "-";
    try (var file = ScratchFile.open(prefix)) {
      file.write(UTF_8.encode("kept"), 0);
      var read = ByteBuffer.allocate(4);
      file.read(read, 0);
      assertEquals("kept", UTF_8.decode(read.flip()).toString());

      assertEquals("rw-------", permissions(prefix));
      try (var names =
          Files.newDirectoryStream(Path.of(System.getProperty("java.io.tmpdir")), prefix + "*")) {
        assertEquals(false, names.iterator().hasNext());
      }
    }
  }

  /** The permissions of the open file, which no longer has a name. */
  private static String permissions(String prefix) throws Exception {
    var found = "";
    try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (var descriptor : descriptors) {
        if (Files.isSymbolicLink(descriptor)
            && Files.readSymbolicLink(descriptor).toString().contains(prefix)) {
          found = PosixFilePermissions.toString(Files.getPosixFilePermissions(descriptor));
        }
      }
    }
    assertNotEquals("", found);
    return found;
  }
}
