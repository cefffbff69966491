package io.github.bloomgate.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import redis.embedded.core.ExecutableProvider;

/** The program that a {@link TestRedis} runs: from the jar, or a configured one. */
final class RedisBinary {

  private RedisBinary() {}

  static String path() {
    String named = System.getProperty("test.redis-server");
    return named == null ? Unpacked.PATH : named;
  }

  /** The binary from the jar, unpacked once for all tests. */
  private static final class Unpacked {
    private static final String PATH = unpack();

    private static String unpack() {
      try {
        return ExecutableProvider.newJarResourceProvider().get().getAbsolutePath();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
