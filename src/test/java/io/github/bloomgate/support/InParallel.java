package io.github.bloomgate.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs tasks in parallel to a test. */
public final class InParallel {

  private static final int MAX_WAIT_MINUTES = 5;

  private InParallel() {}

  /**
   * Starts a task on a new thread, which sees the classes of the application under test. From JDK
   * 25, threads of the common pool only see the JVM's own classpath.
   */
  public static CompletableFuture<Void> run(Runnable task) {
    return CompletableFuture.runAsync(task, InParallel::start);
  }

  /** Runs a task several times at once, each with its number. Throws if one fails. */
  public static void atOnce(int count, IntConsumer task) {
    var running =
        IntStream.range(0, count).mapToObj(number -> run(() -> task.accept(number))).toList();
    running.forEach(one -> one.orTimeout(MAX_WAIT_MINUTES, TimeUnit.MINUTES).join());
  }

  private static void start(Runnable command) {
    var thread = new Thread(command, "parallel-to-test");
    thread.setDaemon(true);
    thread.start();
  }
}
