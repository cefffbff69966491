package io.github.bloomgate.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The files with results of streams. They are deleted as soon as they are open. */
final class KeptResultFiles {

  private KeptResultFiles() {}

  /** The bytes in all of them; 0 also if the system is not Linux. */
  static long bytes() {
    var bytes = 0L;
    try (var open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (var file : open) {
        bytes += bytes(file);
      }
    } catch (NoSuchFileException notLinux) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes;
  }

  private static long bytes(Path file) throws IOException {
    try {
      return Files.readSymbolicLink(file).toString().contains("bloomgate-results-")
          ? Files.size(file)
          : 0;
    } catch (NoSuchFileException justClosed) {
      return 0;
    }
  }
}
