package io.github.bloomgate.redis.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.config.Exposure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import redis.embedded.core.ExecutableProvider;

/** Finds the redis-server to run: the bundled one, or an installed one. */
final class ServerProgram {

  /** Matches Valkey too. */
  private static final Pattern VERSION = Pattern.compile("\\bv=(\\d+)\\.(\\d+)");

  private static final int MAJOR = 6;
  private static final int MINOR = 2;
  private static final int TIMEOUT_SECONDS = 10;
  private static final String UNPACKED = "redis-server-*";

  private ServerProgram() {}

  /**
   * Unpacks the bundled server for this platform into the data folder. The temporary folder is
   * often mounted noexec, and a killed JVM would leave another copy there each time.
   */
  static Path bundled(DataFolder folder, Function<File, ExecutableProvider> binaries) {
    try {
      // The library would use an existing file, even an incomplete or foreign one.
      try (var old = Files.newDirectoryStream(folder.path(), UNPACKED)) {
        for (var file : old) {
          Files.delete(file);
        }
      }
      var program = binaries.apply(folder.path().toFile()).get().toPath();
      folder.keepToOwner(program);
      return program;
    } catch (IOException unusable) {
      throw EmbeddedRedisException.folderUnusable(folder.path(), unusable);
    } catch (RuntimeException unknownPlatform) {
      throw EmbeddedRedisException.noBinary(unknownPlatform.toString());
    }
  }

  /** The configured server, if it is new enough and no other account can change it. */
  static Path installed(Path executable) throws InterruptedException {
    try {
      var distrust = Exposure.distrust(executable);
      if (distrust.isPresent()) {
        throw EmbeddedRedisException.executableRefused(executable, "it " + distrust.get());
      }
      var output = versionLine(executable);
      var version = VERSION.matcher(output);
      if (!version.find()) {
        throw EmbeddedRedisException.executableRefused(
            executable, "it does not report a version: " + output.strip());
      }
      var major = Integer.parseInt(version.group(1));
      if (major < MAJOR || (major == MAJOR && Integer.parseInt(version.group(2)) < MINOR)) {
        throw EmbeddedRedisException.executableRefused(executable, "it is " + output.strip());
      }
      // The server runs in another folder.
      return executable.toAbsolutePath();
    } catch (IOException notExecutable) {
      throw EmbeddedRedisException.executableRefused(executable, notExecutable.toString());
    }
  }

  private static String versionLine(Path executable) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(executable.toString(), "--version").redirectErrorStream(true).start();
    process.getOutputStream().close();
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return "no answer";
    }
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }
}
