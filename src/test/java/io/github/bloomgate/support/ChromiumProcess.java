package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The process of a headless Chromium, which listens for the DevTools protocol. */
record ChromiumProcess(Path folder, Process process) {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private static final Optional<String> INSTALLED = find();

  private static final List<String> OPTIONS =
      List.of(
          "--headless=new",
          "--remote-debugging-port=0",
          // Root and many containers have no sandbox, and containers have little shared memory.
          "--no-sandbox",
          "--disable-dev-shm-usage",
          "--disable-gpu",
          // The browser would otherwise contact its vendor.
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run");

  /**
   * Starts a browser with its profile in an empty folder. Skips the test if Chromium is not
   * installed.
   */
  static ChromiumProcess start(Path folder) throws Exception {
    var program = installed().orElseGet(() -> abort("Chromium is not installed"));
    var command = Stream.<String>builder().add(program);
    OPTIONS.forEach(command);
    var process =
        new ProcessBuilder(command.add("--user-data-dir=" + folder).build().toList())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("chromium.log").toFile())
            .start();
    return new ChromiumProcess(folder, process);
  }

  /** The name of its program, if there is one. */
  static Optional<String> installed() {
    return INSTALLED;
  }

  private static Optional<String> find() {
    try {
      for (var name : NAMES) {
        if (Interpreter.isThere(name, "--version")) {
          return Optional.of(name);
        }
      }
      return Optional.empty();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** The address on which it listens, which it writes into a file. */
  URI address() throws IOException {
    var file = folder.resolve("DevToolsActivePort");
    Awaitility.await()
        .atMost(Chromium.MAX_WAIT)
        .until(() -> !process.isAlive() || linesOf(file).size() == 2);
    if (!process.isAlive()) {
      throw new IllegalStateException(Files.readString(folder.resolve("chromium.log")));
    }
    var lines = linesOf(file);
    return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
  }

  private static List<String> linesOf(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** The process and its descendants. */
  List<ProcessHandle> all() {
    return Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
  }

  /**
   * Waits until all processes have ended, so that none writes into the folder while it is deleted.
   */
  static void end(List<ProcessHandle> processes, Duration maxWait) {
    CompletableFuture.allOf(
            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, maxWait.toSeconds(), TimeUnit.SECONDS)
        .join();
    processes.forEach(ProcessHandle::destroyForcibly);
  }
}
