package io.github.bloomgate.support;

import java.util.concurrent.CompletableFuture;

/** Runs tasks in parallel to a test. */
public final class InParallel {

  private InParallel() {}

  /**
   * Starts a task on a new thread, which sees the classes of the application under test. From JDK
   * 25, threads of the common pool see only the JVM's own class path.
   */
  public static CompletableFuture<Void> run(Runnable task) {
    return CompletableFuture.runAsync(task, InParallel::start);
  }

  private static void start(Runnable command) {
    var thread = new Thread(command, "parallel-to-test");
    thread.setDaemon(true);
    thread.start();
  }
}
