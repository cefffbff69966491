package io.github.bloomgate.config;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What other accounts of the machine may do with a file or folder: nothing, where the file system
 * does not tell.
 *
 * @param byOthers what those may do that are neither the owner nor in the group
 * @param byGroup what the group may do
 * @param isForeign whether it belongs to another account, which is not root either
 */
public record Exposure(Access byOthers, Access byGroup, boolean isForeign) {

  private static final Exposure NONE =
      new Exposure(new Access(false, false), new Access(false, false), false);

  private static final int STICKY = 01000;

  /** What somebody may do. */
  public record Access(boolean mayRead, boolean mayWrite) {
    private static final int READ = 4;
    private static final int WRITE = 2;

    static Access of(int bits) {
      return new Access((bits & READ) != 0, (bits & WRITE) != 0);
    }
  }

  /** Of what a path leads to. */
  public static Exposure of(Path path) throws IOException {
    if (!isUnix(path)) {
      return NONE;
    }
    var mode = mode(path);
    return new Exposure(Access.of(mode), Access.of(mode >> 3), isForeign(path));
  }

  /** Whether a path is a link that belongs to another account, which may let it lead anywhere. */
  public static boolean isForeignLink(Path path) throws IOException {
    return Files.isSymbolicLink(path) && isUnix(path) && isForeign(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Why another account may change what a path leads to, or put something else in its place: the
   * rest of a sentence about it, with what to do. Empty if only this account and root may.
   */
  public static Optional<String> distrust(Path path) throws IOException {
    var exposure = of(path);
    if (exposure.byOthers().mayWrite() || isReplaceable(path)) {
      return Optional.of(
          "may be changed or replaced by every account of this machine: take that right away from others, by chmod o-w, from the file and the folders above it");
    }
    if (exposure.isForeign() || isForeignLink(path)) {
      return Optional.of(
          "belongs to another account, which may change it: give it to root or to the account of the service, by chown");
    }
    return Optional.empty();
  }

  /** Whether everybody may rename things in a folder above it. */
  public static boolean isReplaceable(Path path) throws IOException {
    if (!isUnix(path)) {
      return false;
    }
    for (var above = path.toRealPath().getParent(); above != null; above = above.getParent()) {
      if (isRenamedInByAll(above)) {
        return true;
      }
    }
    return false;
  }

  /** Whether others may replace what this account puts into a folder for all, such as /tmp. */
  public static boolean isUnsafeToShare(Path folder) throws IOException {
    return isUnix(folder) && (isRenamedInByAll(folder) || isForeign(folder));
  }

  private static boolean isRenamedInByAll(Path folder) throws IOException {
    var mode = mode(folder);
    return Access.of(mode).mayWrite() && (mode & STICKY) == 0;
  }

  private static boolean isUnix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode");
  }

  private static boolean isForeign(Path path, LinkOption... options) throws IOException {
    var owner = (int) Files.getAttribute(path, "unix:uid", options);
    return owner != 0 && owner != new UnixSystem().getUid();
  }
}
