package io.github.bloomgate.support;

import java.util.concurrent.CompletableFuture;

/** Runs tasks beside a test. */
public final class Beside {

  private Beside() {}

  /**
   * Starts a task on a thread of its own. Such a thread sees the classes of the application under
   * test; those of the common pool see only the JVM's own class path from JDK 25 on.
   */
  public static CompletableFuture<Void> run(Runnable task) {
    return CompletableFuture.runAsync(task, Beside::start);
  }

  private static void start(Runnable command) {
    var thread = new Thread(command, "beside-the-test");
    thread.setDaemon(true);
    thread.start();
  }
}
