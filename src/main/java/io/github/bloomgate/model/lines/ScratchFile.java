package io.github.bloomgate.model.lines;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * A file for as long as it is open, in the folder for temporary files, where others may write too.
 * Made and opened at once: between the two somebody could put a file of theirs in its place.
 */
public final class ScratchFile {

  private ScratchFile() {}

  /**
   * Opens a new one that only its owner can read. Most systems take its name away at once, so that
   * none is left by a crash.
   *
   * @param prefix what its name begins with
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
        toOwner(path));
  }

  /** Where they are. */
  public static Path folder() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  private static FileAttribute<?>[] toOwner(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
