package io.github.bloomgate.config;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The access of other accounts to a file or folder; none if the file system has no permissions.
 *
 * @param isReadByAll whether every account may read it
 * @param isChangedByAll whether every account may change it
 * @param isChangedByGroup whether its group may change it
 * @param isForeign whether the owner is another account than this one and root
 */
public record Exposure(
    boolean isReadByAll, boolean isChangedByAll, boolean isChangedByGroup, boolean isForeign) {

  private static final Exposure NONE = new Exposure(false, false, false, false);

  // Bits of a file's mode.
  private static final int READ_BY_ALL = 04;
  private static final int CHANGED_BY_ALL = 02;
  private static final int CHANGED_BY_GROUP = 020;
  private static final int STICKY = 01000;

  /** The exposure of a path's target. */
  public static Exposure of(Path path) throws IOException {
    if (!isUnix(path)) {
      return NONE;
    }
    var mode = mode(path);
    return new Exposure(
        (mode & READ_BY_ALL) != 0,
        (mode & CHANGED_BY_ALL) != 0,
        (mode & CHANGED_BY_GROUP) != 0,
        isForeign(path));
  }

  /** Whether accounts other than the owner may read secrets in it, or change it. */
  public boolean isLoose() {
    return isReadByAll || isChangedByGroup;
  }

  /** Whether a path is a link of another account, which can change its target. */
  public static boolean isForeignLink(Path path) throws IOException {
    return Files.isSymbolicLink(path) && isUnix(path) && isForeign(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The reason why another account could change or replace a path's target, as the end of a
   * sentence with a remedy. Empty if only this account and root can.
   */
  public static Optional<String> distrust(Path path) throws IOException {
    var exposure = of(path);
    if (exposure.isChangedByAll() || isReplaceable(path)) {
      return Optional.of(
          "can be changed or replaced by any account on this machine: run chmod o-w on the file and the folders above it");
    }
    if (exposure.isForeign() || isForeignLink(path)) {
      return Optional.of(
          "belongs to another account, which can change it: chown it to root or to the service's account");
    }
    return Optional.empty();
  }

  /** Whether every account can rename files in a folder above it. */
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

  /** Whether other accounts can replace this account's files in a shared folder such as /tmp. */
  public static boolean isUnsafeToShare(Path folder) throws IOException {
    return isUnix(folder) && (isRenamedInByAll(folder) || isForeign(folder));
  }

  private static boolean isRenamedInByAll(Path folder) throws IOException {
    return (mode(folder) & (CHANGED_BY_ALL | STICKY)) == CHANGED_BY_ALL;
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
