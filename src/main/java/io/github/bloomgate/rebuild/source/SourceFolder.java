package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.source.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/** The folder for sources that are files. Links must not lead out of it. */
public final class SourceFolder {

  private static final Logger LOG = Logger.getLogger(SourceFolder.class);

  /** Characters that reverse or hide text when the path is shown. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

  private final Optional<Path> folder;

  /**
   * @param folder empty to allow no files
   */
  public SourceFolder(Optional<Path> folder) {
    this.folder = folder;
    folder.filter(path -> !isUsable(path)).ifPresent(SourceFolder::warn);
  }

  /** Files are opened by their paths, so the folder is entered but not listed. */
  private static boolean isUsable(Path folder) {
    return Files.isDirectory(folder) && Files.isExecutable(folder);
  }

  private static void warn(Path folder) {
    LOG.warnf(
        "The folder for sources %s is missing, or the service may not read it, so sources that are files fail: create it, give the service permission, or set bloomgate.sources.folder to another.",
        folder.toAbsolutePath());
  }

  /**
   * Checks a path without access to files.
   *
   * @throws BloomException INVALID_REQUEST if it is not below the folder, or files are not allowed
   */
  public Path require(String path) {
    var root =
        folder.orElseThrow(
            () ->
                RequestErrors.invalid(
                    "Files are not enabled as sources. Ask the operator to set bloomgate.sources.folder."));
    try {
      var relative = Path.of(path);
      if (path.isEmpty()
          || UNPRINTABLE.matcher(path).find()
          || relative.isAbsolute()
          || !relative.equals(relative.normalize())
          || relative.startsWith("..")) {
        throw invalid();
      }
      return root.resolve(relative);
    } catch (InvalidPathException malformed) {
      throw invalid();
    }
  }

  private static BloomException invalid() {
    return RequestErrors.invalid(
        "file must be a path below the folder for sources, relative to it, without '..' and without invisible characters. Send such"
            + " a path.");
  }

  /**
   * Opens a file.
   *
   * @throws BloomException SOURCE_UNREADABLE if it is missing, not a file or leads out of the
   *     folder
   */
  public SourceReader open(Origin.File file) {
    var path = require(file.path());
    try {
      var real = path.toRealPath();
      if (!real.startsWith(folder.orElseThrow().toRealPath()) || !Files.isRegularFile(real)) {
        throw RebuildErrors.sourceUnreadable(
            "The source is not a file below the folder for sources, or a link leads out of it. Put it"
                + " there.");
      }
      var before = Version.of(real);
      var in = Files.newInputStream(real);
      return new SourceLines(
          in,
          in,
          file.path(),
          file.format(),
          file.encoding(),
          Optional.empty(),
          isPacked -> requireSame(before, real));
    } catch (NoSuchFileException missing) {
      throw RebuildErrors.sourceUnreadable(
          "The source is missing: there is no such file. Put it there.");
    } catch (IOException denied) {
      throw RebuildErrors.sourceUnreadable(
          "The source cannot be opened. Give the service permission to read the file.");
    }
  }

  /** If a file is modified while it is read, existing lines may be missed. */
  private static void requireSame(Version before, Path file) throws IOException {
    if (!before.equals(Version.of(file))) {
      throw RebuildErrors.sourceUnreadable(
          "The file was changed while it was read. Write to another file and move it into place.");
    }
  }

  private record Version(Object key, long size, long modified) {
    private static Version of(Path file) throws IOException {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new Version(
          attributes.fileKey() == null ? "" : attributes.fileKey(),
          attributes.size(),
          attributes.lastModifiedTime().toMillis());
    }
  }
}
