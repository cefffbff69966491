package io.github.bloomgate.redis.embedded;

import io.github.bloomgate.support.Interpreter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** An embedded Redis in a JVM of its own, which tests can kill. */
record OtherService(Process jvm, ServerAddress address, ProcessHandle redis)
    implements AutoCloseable {

  private static final String READY = "ready ";

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
            Interpreter.jdk("java"),
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
        ProcessHandle.of(Long.parseLong(line.substring(READY.length()))).orElseThrow());
  }

  /** Sends SIGKILL to the JVM, which leaves its Redis running. */
  void killJvm() throws InterruptedException {
    jvm.destroyForcibly().waitFor();
  }

  long pid() {
    return jvm.pid();
  }

  @Override
  public void close() {
    jvm.destroyForcibly();
    redis.destroyForcibly();
  }
}
