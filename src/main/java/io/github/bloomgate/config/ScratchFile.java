package io.github.bloomgate.config;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * A temporary file that exists while it is open. Created and opened in one step, because other
 * users may write to the folder and could replace the file in between.
 */
public final class ScratchFile {

  private ScratchFile() {}

  /**
   * Opens a new file that only its owner can read. Most systems unlink it immediately, so that a
   * crash leaves no file.
   *
   * @param prefix of its name
   */
  public static FileChannel open(String prefix) throws IOException {
    var path = folder().resolve(prefix + UUID.randomUUID());
    return FileChannel.open(
        path,
        Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE),
        withMode(path, "rw-------"));
  }

  /** The folder for temporary files. */
  public static Path folder() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Attributes to create a path with; none if the file system has no POSIX permissions. */
  public static FileAttribute<?>[] withMode(Path path, String posix) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(posix))
        }
        : new FileAttribute<?>[0];
  }
}
