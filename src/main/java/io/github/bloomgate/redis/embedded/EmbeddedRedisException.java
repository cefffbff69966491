package io.github.bloomgate.redis.embedded;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The embedded Redis cannot run. Only the message is logged, so it includes the reason and the
 * remedy.
 */
final class EmbeddedRedisException extends ConfigurationException {

  private static final long serialVersionUID = 1L;

  private static final String USE_ANOTHER_REDIS =
      "set quarkus.redis.hosts to use your own Redis (6.2 or later).";

  private EmbeddedRedisException(String message) {
    super(message);
  }

  static EmbeddedRedisException folderInUse(Path folder, String holder) {
    return new EmbeddedRedisException(
        "The data folder %s is in use by another Bloomgate (%s): stop that one, or set another folder with bloomgate.embedded.data-dir."
            .formatted(folder, holder));
  }

  static EmbeddedRedisException folderUnusable(Path folder, IOException reason) {
    return new EmbeddedRedisException(
        "The data folder %s cannot be used (%s): make it writable for this user, set another one with bloomgate.embedded.data-dir, or %s"
            .formatted(folder, reason, USE_ANOTHER_REDIS));
  }

  static EmbeddedRedisException leftoverKeepsRunning(ServerRecord leftover, Path folder) {
    return new EmbeddedRedisException(
        "A redis-server left behind by an earlier run (process %d) still uses the data folder %s and did not stop on request: stop it, then start again."
            .formatted(leftover.pid(), folder));
  }

  static EmbeddedRedisException noBinary(String reason) {
    return new EmbeddedRedisException(
        "There is no embedded redis-server for this platform, %s on %s (%s): %s"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                reason,
                USE_ANOTHER_REDIS));
  }

  static EmbeddedRedisException cannotExecute(Path executable, String reason) {
    return new EmbeddedRedisException(
        "The embedded redis-server %s cannot run here (%s): on x86-64 Linux it needs glibc 2.34 or later and OpenSSL 3, and a data folder that is not mounted noexec; otherwise %s"
            .formatted(executable, reason, USE_ANOTHER_REDIS));
  }

  static EmbeddedRedisException endedEarly(String output) {
    return new EmbeddedRedisException(
        "The embedded redis-server ended before it was ready (%s): remove the cause, or %s"
            .formatted(output, USE_ANOTHER_REDIS));
  }

  static EmbeddedRedisException executableRefused(Path executable, String reason) {
    return new EmbeddedRedisException(
        "The redis-server %s, which is set by bloomgate.embedded.executable, cannot be used (%s): set one of version 6.2 or later that only root or this account can change, or none to run the bundled one."
            .formatted(executable, reason));
  }

  static EmbeddedRedisException addressRefused(ServerAddress address, String output) {
    return new EmbeddedRedisException(
        "The embedded redis-server cannot listen on %s (%s): free that address, or set bloomgate.embedded.port to another port, or to 0 for any free one."
            .formatted(address, output));
  }

  static EmbeddedRedisException folderShared(Path folder, String who) {
    return new EmbeddedRedisException(
        "The data folder %s %s, which could read and replace its files, including the program that is run: set bloomgate.embedded.data-dir to a folder of this account with mode 0700, or to one inside it that does not exist yet and will be created that way."
            .formatted(folder, who));
  }

  static EmbeddedRedisException noFreePort(String reason) {
    return new EmbeddedRedisException(
        "No free port was found for the embedded redis-server (%s): set one with bloomgate.embedded.port."
            .formatted(reason));
  }

  static EmbeddedRedisException notReadyInTime(Duration limit, String output) {
    return new EmbeddedRedisException(
        "The embedded redis-server was not ready within %d s, the limit set by bloomgate.embedded.start-timeout (%s): raise the limit if it was still loading data."
            .formatted(limit.toSeconds(), output));
  }

  static EmbeddedRedisException interrupted() {
    return new EmbeddedRedisException(
        "The start of the embedded redis-server was interrupted: start the service again.");
  }
}
