package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A server started for the benchmark, which ends with it at the latest. */
final class ServerProcess implements AutoCloseable {

  private static final long MAX_WAIT_NANOS = SECONDS.toNanos(180);

  private final Process process;
  private final int port;
  private final Path output;

  private ServerProcess(Process process, int port, Path output) {
    this.process = process;
    this.port = port;
    this.output = output;
  }

  /** Starts a program that will listen on the port, with the folder as its working directory. */
  static ServerProcess start(Path folder, int port, List<String> command) {
    try {
      Files.createDirectories(folder);
      var output = folder.resolve("output.log");
      var process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      // Also stops the server if the benchmark is interrupted.
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
      return new ServerProcess(process, port, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it listens. */
  ServerProcess awaitListening() {
    await(
        () -> {
          try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
          } catch (IOException notYet) {
            return false;
          }
        });
    return this;
  }

  /** Waits until a condition is true, checking every millisecond. */
  void await(BooleanSupplier condition) {
    var start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() - start > MAX_WAIT_NANOS) {
        throw new IllegalStateException("A server did not start; see " + output);
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  /** Its CPU time, system and user, in microseconds. */
  double cpuMicros() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
  }

  /** Its resident memory, in MiB. */
  double residentMebibytes() {
    return Long.parseLong(run("ps", "-o", "rss=", "-p", Long.toString(pid())).strip()) / 1024.0;
  }

  /** Sends a command of jcmd to a JVM, and returns the output. */
  static String jcmd(long pid, String... order) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(pid));
    command.addAll(List.of(order));
    return run(command.toArray(String[]::new));
  }

  /** Runs a program to its end and returns its output. */
  static String run(String... command) {
    try {
      var program = new ProcessBuilder(command).redirectErrorStream(true).start();
      var output = new String(program.getInputStream().readAllBytes(), UTF_8);
      if (program.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
