package io.github.bloomgate.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs tasks in parallel to a test. */
public final class InParallel {

  /** Longer than a busy machine stalls. */
  public static final Duration MAX_WAIT = Duration.ofSeconds(20);

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

  /**
   * Waits for the result of a task, which must arrive soon. Throws as {@link
   * CompletableFuture#join}, or an error that says which wait did not end.
   */
  public static <T> T resultOf(CompletionStage<T> task) {
    var future = task.toCompletableFuture();
    try {
      return future.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      return future.join();
    } catch (TimeoutException late) {
      throw new AssertionError("No result after " + MAX_WAIT, late);
    } catch (InterruptedException stopped) {
      throw new AssertionError("Interrupted before there was a result", stopped);
    }
  }

  private static void start(Runnable command) {
    var thread = new Thread(command, "parallel-to-test");
    thread.setDaemon(true);
    thread.start();
  }
}
