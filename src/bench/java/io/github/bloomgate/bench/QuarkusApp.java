package io.github.bloomgate.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A packaged Quarkus application in its own process, with the JVM settings of the image.
 *
 * @param startMillis time from its start to its first response
 */
record QuarkusApp(ServerProcess process, double startMillis) implements AutoCloseable {

  private static final Pattern ARENAS = Pattern.compile("(MALLOC_ARENA_MAX=\\d+)");

  /** The JVM settings that are shipped with the jar. */
  static List<String> jvmSettings() {
    return read("src/main/jvm/bloomgate.vmoptions")
        .lines()
        .filter(line -> line.startsWith("-"))
        .toList();
  }

  /** The environment variable that the image sets, NAME=VALUE. */
  static String environment() {
    var setting = ARENAS.matcher(read("Dockerfile"));
    if (!setting.find()) {
      throw new IllegalStateException("The Dockerfile has no " + ARENAS);
    }
    return setting.group(1);
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a package and waits for its first response.
   *
   * @param folder its working directory
   * @param settings system properties as name=value
   * @param path path of the first request
   */
  static QuarkusApp start(Path folder, Program program, List<String> settings, String path) {
    var port = ServerProcess.freePort();
    // The process of env becomes the JVM.
    var command = new ArrayList<>(List.of("env", environment()));
    command.addAll(program.command());
    command.add("-Dquarkus.http.port=" + port);
    settings.forEach(setting -> command.add("-D" + setting));
    command.add("-jar");
    command.add(program.jar().toAbsolutePath().toString());
    var start = System.nanoTime();
    var process = ServerProcess.start(folder, port, command);
    process.await(() -> answers(port, path));
    return new QuarkusApp(process, (System.nanoTime() - start) / 1e6);
  }

  private static boolean answers(int port, String path) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1)
          .equals("HTTP/1.1 200");
    } catch (IOException notYet) {
      return false;
    }
  }

  int port() {
    return process.port();
  }

  @Override
  public void close() {
    process.close();
  }
}
