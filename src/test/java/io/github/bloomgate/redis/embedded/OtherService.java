package io.github.bloomgate.redis.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** An embedded Redis in a JVM of its own, which tests can kill. */
final class OtherService implements AutoCloseable {

  private static final String READY = "ready ";

  private final Process jvm;
  private final ServerAddress address;
  private final ProcessHandle redis;

  private OtherService(Process jvm, ServerAddress address, long redisPid) {
    this.jvm = jvm;
    this.address = address;
    this.redis = ProcessHandle.of(redisPid).orElseThrow();
  }

  /** The main method of the other JVM, which runs until its input ends. */
  public static void main(String[] args) throws IOException {
    try (var redis = EmbeddedRedis.start(Settings.in(Path.of(args[0])), true)) {
      System.out.println(READY + redis.pid());
      while (System.in.read() != -1) {
        // Input is ignored until its end.
      }
    } catch (EmbeddedRedisException refused) {
      System.out.println(refused.getMessage());
      System.exit(1);
    }
  }

  static Process launch(Path dataDir) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            OtherService.class.getName(),
            dataDir.toString())
        .redirectErrorStream(true)
        .start();
  }

  static BufferedReader output(Process jvm) {
    return new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts the other JVM and waits until its Redis is ready. */
  static OtherService start(Path dataDir) throws IOException {
    var jvm = launch(dataDir);
    var line = output(jvm).lines().filter(text -> text.startsWith(READY)).findFirst().orElseThrow();
    return new OtherService(
        jvm,
        ServerAddress.socketIn(dataDir.toRealPath()),
        Long.parseLong(line.substring(READY.length())));
  }

  /** Sends SIGKILL to the JVM, which leaves its Redis running. */
  void killJvm() throws InterruptedException {
    jvm.destroyForcibly().waitFor();
  }

  long pid() {
    return jvm.pid();
  }

  ServerAddress address() {
    return address;
  }

  ProcessHandle redis() {
    return redis;
  }

  @Override
  public void close() {
    jvm.destroyForcibly();
    redis.destroyForcibly();
  }
}
