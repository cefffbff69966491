package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.config.Exposure;
import io.github.bloomgate.config.ScratchFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The data folder of the embedded Redis, locked by one service at a time. The operating system
 * releases the lock when the JVM ends for any reason. Also stores the {@link ServerRecord} of the
 * server that uses it. Not thread-safe.
 */
final class DataFolder implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(DataFolder.class);

  /* On POSIX systems a process loses its locks on a file when it closes any descriptor of that file. A second attempt inside this JVM must therefore not open the lock file, or its failure would silently release the first lock. */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  /** Beyond the text in the file, because Windows refuses to read locked bytes. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final int LONGEST_PID = 20;

  private static final String PRIVATE_FOLDER = "rwx------";
  private static final String PRIVATE_FILE = "rw-------";

  private final Path path;
  private final FileChannel lockFile;

  private DataFolder(Path path, FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /**
   * Creates the folder if missing and locks it until {@link #close}.
   *
   * @throws EmbeddedRedisException if it is already locked, by this or another process, or not
   *     writable
   */
  static DataFolder hold(Path configured) {
    try {
      var path = create(configured);
      if (!HELD_HERE.add(path)) {
        throw EmbeddedRedisException.folderInUse(path, "process " + ProcessHandle.current().pid());
      }
      try {
        return new DataFolder(path, lock(path));
      } catch (IOException | RuntimeException notHeld) {
        HELD_HERE.remove(path);
        throw notHeld;
      }
    } catch (IOException unusable) {
      throw EmbeddedRedisException.folderUnusable(configured.toAbsolutePath(), unusable);
    }
  }

  private static Path create(Path configured) throws IOException {
    // Redis creates files that everyone can read, so the folder must be private.
    if (!Files.isDirectory(configured)) {
      Files.createDirectories(configured, ScratchFile.withMode(configured, PRIVATE_FOLDER));
    }
    // Checked even if just created: another account may have been faster.
    if (Exposure.isForeignLink(configured)) {
      throw EmbeddedRedisException.folderShared(
          configured, "is a link that belongs to another account");
    }
    var path = configured.toRealPath();
    var exposure = Exposure.of(path);
    if (exposure.isForeign()) {
      throw EmbeddedRedisException.folderShared(path, "belongs to another account");
    }
    if (exposure.isChangedByAll()) {
      throw EmbeddedRedisException.folderShared(path, "is open to any account on this machine");
    }
    warnOf(exposure, path);
    return path;
  }

  private static void warnOf(Exposure exposure, Path path) throws IOException {
    if (exposure.isLoose()) {
      LOG.warnf(
          "The data folder %s can be read by any account on this machine, or changed by its group: run chmod 700 on it.",
          path);
    }
    if (Exposure.isReplaceable(path)) {
      LOG.warnf(
          "The data folder %s can be replaced by any account on this machine: a folder above it lets all accounts rename its entries.",
          path);
    }
  }

  private static FileChannel lock(Path path) throws IOException {
    var channel =
        FileChannel.open(
            path.resolve("bloomgate.lock"),
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            ScratchFile.withMode(path, PRIVATE_FILE));
    try {
      if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
        throw EmbeddedRedisException.folderInUse(path, holder(channel));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)));
      return channel;
    } catch (IOException | RuntimeException notLocked) {
      channel.close();
      throw notLocked;
    }
  }

  private static String holder(FileChannel lockFile) throws IOException {
    var pid = ByteBuffer.allocate(LONGEST_PID);
    lockFile.read(pid, 0);
    var text = UTF_8.decode(pid.flip()).toString();
    return text.isEmpty() ? "a process that is just starting" : "process " + text;
  }

  Path path() {
    return path;
  }

  /** Restricts a program in the folder to its owner. */
  void keepToOwner(Path program) throws IOException {
    if (program.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(PRIVATE_FOLDER));
    }
  }

  /** Records the server that uses the folder, and its password. */
  void remember(ServerRecord server, Password password) {
    try {
      // The password is written first, so that a record always has one. Without a line end, which
      // redis-cli -x would read as part of it.
      write(passwordFile(), password.text());
      write(recordFile(), server.format());
    } catch (IOException unusable) {
      throw EmbeddedRedisException.folderUnusable(path, unusable);
    }
  }

  private static void write(Path file, String text) throws IOException {
    // Moved into place, so that a crash leaves no partial file, and always a new file, because an
    // existing one would keep its permissions.
    var draft = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(draft);
    try (var channel =
        FileChannel.open(
            draft,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            ScratchFile.withMode(draft, PRIVATE_FILE))) {
      channel.write(UTF_8.encode(text));
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The recorded server, running or not. */
  Optional<ServerRecord> remembered() {
    try {
      return ServerRecord.parse(Files.readString(recordFile()));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException unusable) {
      throw EmbeddedRedisException.folderUnusable(path, unusable);
    }
  }

  /** Deletes the record and the password after the server has ended. */
  void forget() {
    try {
      Files.deleteIfExists(passwordFile());
      Files.deleteIfExists(recordFile());
    } catch (IOException unusable) {
      throw EmbeddedRedisException.folderUnusable(path, unusable);
    }
  }

  private Path recordFile() {
    return path.resolve("redis.pid");
  }

  private Path passwordFile() {
    return path.resolve("redis.password");
  }

  /** Releases the lock. */
  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException unusable) {
      throw EmbeddedRedisException.folderUnusable(path, unusable);
    } finally {
      HELD_HERE.remove(path);
    }
  }
}
